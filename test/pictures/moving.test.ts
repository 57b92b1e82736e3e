import {readdirSync, readFileSync} from 'node:fs';
import {expect, test} from 'vitest';
import {createScreen} from '../helpers/screen.ts';
import {frameOf, movingSvg, stillSvg} from './moving.ts';
import {rasterize, screenSvg} from './render.ts';

const pixelsOf = (svg: string): Buffer => rasterize(svg, 1).pixels;

test('a moving picture shows every frame as a picture of that frame does', async () => {
	const screen = createScreen(12, 2);
	const [stills, frames] = [[] as Buffer[], [] as ReturnType<typeof frameOf>[]];
	for (const text of ['BTC 61,824', '\u001B[32mBTC\u001B[m 61,825', '\u001B[7m──╮⣿▅\u001B[m 825', 'BTC 61,824']) {
		await screen.write(`\u001B[2J\u001B[HUSDT\r\n${text}`);
		stills.push(pixelsOf(screenSvg(screen)));
		frames.push(frameOf(screen));
	}

	const svg = movingSvg(frames, 400);
	expect(stills.map((_, index) => pixelsOf(stillSvg(svg, index * 400)))).toEqual(stills);
	expect(stills[0]).not.toEqual(stills[1]);
});

const pictures = new URL('../../docs/pictures/', import.meta.url);

test('the moving picture of the README moves', () => {
	const svg = readFileSync(new URL('tour.svg', pictures), 'utf8');
	// The reader of SVG refuses what is not XML.
	const [first, later] = [0, 12_000].map(atMs => pixelsOf(stillSvg(svg, atMs)));
	expect(first).not.toEqual(later);
});

test('the pictures of the documents are small, load nothing and run nothing', () => {
	const files = readdirSync(pictures).map(name => ({name, svg: readFileSync(new URL(name, pictures), 'utf8')}));
	for (const {name, svg} of files) {
		expect(svg.length, name).toBeLessThan(name === 'tour.svg' ? 800_000 : 100_000);
		const elements = new Set([...svg.matchAll(/<(\w+)/g)].map(([, element]) => element));
		const known = new Set(['svg', 'style', 'rect', 'g', 'path', 'text']);
		expect(elements.difference(known), name).toEqual(new Set());
		expect(svg.match(/\b(?:on\w+|href)=|url\(|@import|https?:[^"]*/g), name).toEqual(['http://www.w3.org/2000/svg']);
	}
});

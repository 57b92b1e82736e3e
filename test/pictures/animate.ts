/**
 * Takes the moving picture of the README from the built program as it runs, with keys that are really pressed:
 * `node source/build.ts && node test/pictures/animate.ts`. It takes two minutes. `--still MS --out FILE.png` shows what
 * the picture shows at a time.
 */
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout as pause} from 'node:timers/promises';
import {fileURLToPath} from 'node:url';
import {parseArgs} from 'node:util';
import {createScreen} from '../helpers/screen.ts';
import {keyBytes, openTerminal} from '../helpers/terminal.ts';
import {type Frame, frameOf, movingSvg, stillSvg} from './moving.ts';
import {svgPng} from './render.ts';

const program = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const tour = fileURLToPath(new URL('../../docs/pictures/tour.svg', import.meta.url));
const [columns, rows] = [112, 32];
const stepMs = 400;

/** So long that the heatmap and the tape have something to show. */
const warmUpMs = 60_000;

/** What is pressed, one key a frame, what the line below the screen says meanwhile, and how many frames follow. */
type Scene = {readonly keys?: string; readonly caption: string; readonly frames: number};

const scenes: readonly Scene[] = [
	{caption: 'Market, chart, order book and trades of the demo exchange', frames: 4},
	{keys: 'n', caption: 'n  next market', frames: 3},
	{keys: 'p', caption: 'p  previous market', frames: 3},
	{keys: '2--', caption: '2  chart    + -  zoom', frames: 2},
	{keys: ':rsi<enter>', caption: ':  command line', frames: 2},
	{keys: 'x<left><left><left><left>', caption: 'x  crosshair, moved by arrows', frames: 3},
	{keys: '<esc>3z', caption: '3  book    z  zoom', frames: 3},
	{keys: 'b', caption: 'b  depth curve', frames: 3},
	{keys: 'b', caption: 'b  liquidity as a heatmap', frames: 4},
	{keys: 'bz4z', caption: '4  tape    z  zoom', frames: 4},
	{keys: 'z{', caption: '{  one minute back in the session', frames: 4},
	{keys: '<esc>?', caption: '?  all keys', frames: 4},
	{keys: '<esc>', caption: 'Esc  close', frames: 2},
];

async function captionRows(caption: string): Promise<Frame> {
	const screen = createScreen(columns, 2);
	await screen.write(`\r\n\u001B[1m ${caption}`);
	return frameOf(screen);
}

async function takeFrames(): Promise<readonly Frame[]> {
	const home = mkdtempSync(join(tmpdir(), 'tapewatch-picture-'));
	const terminal = openTerminal({
		...{file: process.execPath, args: [program], columns, rows},
		env: {TAPEWATCH_DEMO_AT: '2026-11-20T12:00:00Z', XDG_CONFIG_HOME: home, XDG_STATE_HOME: home},
	});
	try {
		await terminal.waitFor(shown => terminal.alternate() && shown.some(row => row.trim() !== ''));
		await pause(warmUpMs);
		const frames: Frame[] = [];
		for (const {keys = '', caption, frames: count} of scenes) {
			const below = await captionRows(caption);
			const presses = [...keyBytes(keys), ...Array<undefined>(count).fill(undefined)];
			for (const key of presses) {
				if (key !== undefined) terminal.write(key);
				await pause(stepMs);
				frames.push([...frameOf(terminal.display), ...below]);
			}
		}

		return frames;
	} finally {
		terminal.kill('SIGTERM');
		await terminal.exit;
		rmSync(home, {recursive: true, force: true});
	}
}

const {values} = parseArgs({options: {still: {type: 'string'}, out: {type: 'string'}}});
if (values.still !== undefined && values.out !== undefined) {
	writeFileSync(values.out, svgPng(stillSvg(readFileSync(tour, 'utf8'), Number(values.still)), 1));
} else {
	const svg = movingSvg(await takeFrames(), stepMs);
	writeFileSync(tour, svg);
	console.log(`${tour}: ${(svg.length / 1e6).toFixed(2)} MB`);
}

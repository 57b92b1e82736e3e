/**
 * Takes the moving picture of the README from the built program as it runs, with keys that are really pressed:
 * `node source/build.ts && node test/pictures/animate.ts`. It takes four minutes. `--still MS --out FILE.png` shows what
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
const keyMs = 30;

/** So long that the heatmap, the tape and a footprint of a minute have something to show. */
const warmUpMs = 170_000;

/** What is typed, one text a frame, what the line below the screen says meanwhile, and how many frames follow. */
type Scene = {readonly keys?: readonly string[]; readonly caption: string; readonly frames: number};

const command = (text: string): string => `:${text}<enter>`;

const scenes: readonly Scene[] = [
	{caption: 'Market, chart, order book and trades of the demo exchange', frames: 4},
	{keys: ['n'], caption: 'n  next market', frames: 2},
	{keys: ['p'], caption: 'p  previous market', frames: 1},
	{keys: ['2', 'z', '+'], caption: '2  chart    z  zoom    + -  candles', frames: 1},
	{keys: [':rsi', '<enter>'], caption: ':  command line', frames: 2},
	{keys: ['x', ...Array<string>(5).fill('<left><left><left>')], caption: 'x  crosshair, moved by arrows', frames: 1},
	{keys: [command('avwap')], caption: ':avwap  VWAP anchored at the crosshair', frames: 2},
	{keys: ['<left>'.repeat(12), 'T', '<right>'.repeat(19), 'T'], caption: 'T T  trend line', frames: 3},
	{
		keys: [`<esc>${command('rsi off')}${command('period 1m')}${command('footprint')}`],
		caption: ':footprint  volume at each price',
		frames: 4,
	},
	{keys: [`zc${command('period 1h')}3z`], caption: '3  book    z  zoom', frames: 3},
	{keys: ['b'], caption: 'b  depth curve', frames: 2},
	{keys: ['b'], caption: 'b  liquidity as a heatmap', frames: 3},
	{keys: ['bz4z'], caption: '4  tape    z  zoom', frames: 3},
	{keys: ['z', '{'], caption: '{  one minute back in the session', frames: 3},
	{
		keys: [`<esc>1z${command('columns last change 1h 4h 7d range rvol')}`],
		caption: ':columns  changes, place in the day, relative volume',
		frames: 6,
	},
	{
		keys: [`z${command('holding btc 0.5 @ 61000 usdt')}${command('holdings')}`],
		caption: ':holdings  what you hold, and its value',
		frames: 3,
	},
	{keys: ['<esc>?'], caption: '?  all keys', frames: 3},
	{keys: ['<esc>'], caption: 'Esc  close', frames: 1},
];

async function captionRows(caption: string): Promise<Frame> {
	const screen = createScreen(columns, 2);
	await screen.write(`\r\n\u001B[1m ${caption}`);
	return frameOf(screen);
}

async function takeFrames(): Promise<readonly Frame[]> {
	const home = mkdtempSync(join(tmpdir(), 'tapewatch-picture-'));
	const terminal = openTerminal({
		...{file: process.execPath, args: [program, '--rate', '20'], columns, rows},
		env: {TAPEWATCH_DEMO_AT: '2026-11-20T12:00:00Z', XDG_CONFIG_HOME: home, XDG_STATE_HOME: home},
	});
	try {
		await terminal.waitFor(shown => terminal.alternate() && shown.some(row => row.trim() !== ''));
		await pause(warmUpMs);
		const frames: Frame[] = [];
		for (const {keys = [], caption, frames: count} of scenes) {
			const below = await captionRows(caption);
			for (const text of [...keys, ...Array<string>(count).fill('')]) {
				for (const key of keyBytes(text)) {
					terminal.write(key);
					// Keys that arrive together can read as another key.
					await pause(keyMs);
				}

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

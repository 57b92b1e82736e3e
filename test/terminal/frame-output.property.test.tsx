import fc from 'fast-check';
import {render, Text, useStdout} from 'ink';
import {test} from 'vitest';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {createScreen, type Screen} from '../helpers/screen.ts';
import {OverheardOutput} from './overheard-output.ts';
import {expectSameScreen, throughLineDiscipline} from './same-screen.ts';
import {SlowTerminal} from './slow-terminal.ts';

const size = fc.record({columns: fc.integer({min: 12, max: 40}), rows: fc.integer({min: 2, max: 10})});

const color = fc.oneof(
	fc.integer({min: 0, max: 7}).map(n => `3${n}`),
	fc.integer({min: 0, max: 7}).map(n => `10${n}`),
	fc.integer({min: 0, max: 255}).map(n => `38;5;${n}`),
	fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255)).map(rgb => `48;2;${rgb.join(';')}`),
);
const attribute = fc.constantFrom('1', '2', '3', '4', '7', '9');
const style = fc.array(fc.oneof(color, attribute), {maxLength: 3});

const agreed = fc.constantFrom(
	'a',
	'b',
	'7',
	'0',
	' ',
	' ',
	' ',
	'│',
	'█',
	'▼',
	'·',
	'日',
	'本',
	'한',
	'é',
	'e\u0301',
	'ñ\u0303',
);
/** Terminals give them different widths: a flag, an emoji, one of several people, one with a skin, a sign with a variation. */
const disputed = fc.constantFrom('🇪🇺', '🚀', '👩‍👩‍👧', '👍🏽', '❤️', '⭐');
const link = fc.constant('\u001B]8;;https://example.com\u0007x\u001B]8;;\u0007');
const foreignStyle = fc.constantFrom('\u001B[53m', '\u001B[21m');
const character = fc.oneof(
	{weight: 60, arbitrary: agreed},
	{weight: 1, arbitrary: link},
	{weight: 1, arbitrary: foreignStyle},
);

const painted = (content: fc.Arbitrary<string>) =>
	fc.tuple(style, content).map(([codes, text]) => `${codes.map(code => `\u001B[${code}m`).join('')}${text}\u001B[0m`);
const span = painted(fc.array(character, {minLength: 1, maxLength: 6}).map(characters => characters.join('')));
const agreedLine = fc.array(span, {maxLength: 3}).map(spans => spans.join(''));
// So short that it fits whatever the terminal makes of it: a line that wraps where Ink thinks it fits is lost on Ink itself.
const disputedLine = painted(fc.tuple(agreed, disputed, agreed).map(characters => characters.join('')));
const line = fc.oneof({weight: 12, arbitrary: agreedLine}, {weight: 1, arbitrary: disputedLine});

type Step =
	| {readonly type: 'frame' | 'edit'; readonly lines: readonly string[]; readonly at: number}
	| {readonly type: 'resize'; readonly columns: number; readonly rows: number}
	| {readonly type: 'write'; readonly text: string}
	| {readonly type: 'redraw' | 'stall' | 'resume'};

const frame = fc.record({
	type: fc.constant('frame' as const),
	lines: fc.array(line, {maxLength: 13}),
	at: fc.constant(0),
});
const edit = fc.record({
	type: fc.constant('edit' as const),
	lines: fc.array(line, {minLength: 1, maxLength: 2}),
	at: fc.nat(9),
});
const resize = size.map(({columns, rows}) => ({type: 'resize' as const, columns, rows}));
const write = fc
	.constantFrom('\u001B]0;title\u0007', '\u001B[5 q', '\u001B[?1004h', '\u001B[?2004l', '\u001B[>4;1m', 'said\n')
	.map(text => ({type: 'write' as const, text}));
const other = fc.constantFrom({type: 'redraw' as const}, {type: 'stall' as const}, {type: 'resume' as const});
const step: fc.Arbitrary<Step> = fc.oneof(
	{weight: 6, arbitrary: frame},
	{weight: 8, arbitrary: edit},
	{weight: 2, arbitrary: resize},
	{weight: 1, arbitrary: write},
	{weight: 2, arbitrary: other},
);

/** What a terminal keeps of cells that it once had to cut off is its own affair, and Ink does not erase it. */
function blankToTheRight(screen: Screen, column: number): string {
	const rows = Array.from({length: screen.rows}, (_, row) => `\u001B[${row + 1};${column + 1}H\u001B[K`);
	return column < screen.columns ? `\u001B7${rows.join('')}\u001B8` : '';
}

test('shows what Ink would show by itself, whatever it draws', async () => {
	await fc.assert(
		fc.asyncProperty(size, fc.array(step, {minLength: 1, maxLength: 12}), async (start, steps) => {
			const terminal = new SlowTerminal(start);
			const output = new OverheardOutput(terminal, {clock: createFakeClock()});
			const [actual, expected] = [createScreen(start.columns, start.rows), createScreen(start.columns, start.rows)];
			for (const screen of [actual, expected]) await screen.write('\u001B[?1049h');
			let say = (_: string): void => {};
			const Frame = ({text}: {text: string}) => {
				say = useStdout().write;
				return <Text wrap="truncate">{text}</Text>;
			};
			const app = render(<Frame text="" />, {
				stdout: output,
				interactive: true,
				patchConsole: false,
				maxFps: 1000,
			});
			let lines: readonly string[] = [];
			const settle = async () => {
				await new Promise(setImmediate);
				await app.waitUntilRenderFlush();
				await new Promise(setImmediate);
				await expected.write(throughLineDiscipline(output.heard.splice(0).join('')));
				await actual.write(throughLineDiscipline(terminal.taken.splice(0).join('')));
				if (terminal.reading) expectSameScreen(actual, expected);
			};

			try {
				await settle();
				for (const next of steps) {
					if (next.type === 'frame') lines = next.lines;
					if (next.type === 'edit') lines = lines.toSpliced(next.at, next.lines.length, ...next.lines);
					if (next.type === 'frame' || next.type === 'edit') app.rerender(<Frame text={lines.join('\n')} />);
					if (next.type === 'write') say(next.text);
					if (next.type === 'redraw') output.redraw();
					if (next.type === 'stall') terminal.reading = false;
					if (next.type === 'resume') {
						terminal.reading = true;
						terminal.take();
					}

					if (next.type === 'resize') {
						const {columns} = expected;
						for (const screen of [actual, expected]) screen.resize(next.columns, next.rows);
						await expected.write(blankToTheRight(expected, columns));
						terminal.resize(next);
						await new Promise(setImmediate);
						output.laidOut(next);
					}

					await settle();
				}
			} finally {
				app.unmount();
				output.close();
			}
		}),
		{numRuns: Number(process.env.PROPERTY_RUNS ?? 100)},
	);
});

import fc from 'fast-check';
import {test} from 'vitest';
import {type Run, styleOf} from '../../source/format/style.ts';
import {FrameOutput} from '../../source/terminal/frame-output.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {createScreen} from '../helpers/screen.ts';
import {expectPicture} from './same-screen.ts';
import {SlowTerminal} from './slow-terminal.ts';

const size = fc.record({columns: fc.integer({min: 4, max: 40}), rows: fc.integer({min: 1, max: 8})});

const style = fc
	.tuple(
		fc.constantFrom('', '', '1', '2', '7', '1;7'),
		fc.constantFrom('', '31', '32', '38;5;203', '38;2;1;2;3'),
		fc.constantFrom('', '', '', '48;2;4;5;6', '48;2;7;8;9'),
	)
	.map(parts => styleOf(...parts));
const narrow = fc.constantFrom('a', 'b', '7', '0', ' ', ' ', ' ', '│', '█', '▼', '·', 'é', 'e\u0301', 'ñ\u0303');
const wide = fc.constantFrom('日', '本', '한');
/** Terminals draw them in different widths: a flag, an emoji, one of several people, one with a skin, a variation, letters. */
const disputed = fc.constantFrom('🇪🇺', '🚀', '👩‍👩‍👧', '👍🏽', '❤️', '⭐', 'ำ', 'हि', 'क्षि', 'ශ්\u200D');
const control = fc.constantFrom('\t', '\n', '\u001B[2J', '\u009B');
const character = fc.oneof(
	{weight: 30, arbitrary: narrow},
	{weight: 6, arbitrary: wide},
	{weight: 2, arbitrary: disputed},
	{weight: 1, arbitrary: control},
);
const text = fc.array(character, {minLength: 1, maxLength: 12}).map(characters => characters.join(''));
const run: fc.Arbitrary<Run> = fc.record({text: fc.oneof(text, fc.constant(' '.repeat(14))), style});
const lines = fc.array(fc.array(run, {maxLength: 4}), {maxLength: 8});

const step = fc.oneof(
	{weight: 12, arbitrary: fc.record({type: fc.constant('put' as const), pane: fc.nat(2), lines})},
	fc.record({type: fc.constant('remove' as const), pane: fc.nat(2)}),
	{weight: 2, arbitrary: size.map(next => ({type: 'resize' as const, ...next}))},
	fc.constantFrom({type: 'redraw' as const}, {type: 'stall' as const}, {type: 'resume' as const}),
);

test('the terminal shows any surface', async () => {
	await fc.assert(
		fc.asyncProperty(size, fc.array(step, {minLength: 1, maxLength: 12}), async (start, steps) => {
			const terminal = new SlowTerminal(start);
			const output = new FrameOutput(terminal, {clock: createFakeClock()});
			const screen = createScreen(start.columns, start.rows);
			await screen.write('\u001B[?7l');
			const panes = [{}, {}, {}];
			// Three panes side by side.
			const placeOf = (pane: number) => () => {
				const width = Math.floor(output.columns / panes.length);
				return {x: pane * width, y: 0, width, height: output.rows};
			};
			for (const next of steps) {
				if (next.type === 'put') output.surface.put(panes[next.pane] ?? {}, placeOf(next.pane), next.lines);
				if (next.type === 'remove') output.surface.remove(panes[next.pane] ?? {});
				if (next.type === 'redraw') output.redraw();
				if (next.type === 'stall') terminal.reading = false;
				if (next.type === 'resume') {
					terminal.reading = true;
					terminal.take();
				}

				if (next.type === 'resize') {
					screen.resize(next.columns, next.rows);
					terminal.resize(next);
					output.laidOut(next);
				}

				await Promise.resolve();
				await screen.write(terminal.taken.splice(0).join(''));
				if (terminal.reading) await expectPicture(screen, output.surface.picture());
			}

			output.close();
		}),
		{numRuns: Number(process.env.PROPERTY_RUNS ?? 20)},
	);
});

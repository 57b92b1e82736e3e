import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import type {Rgb} from '../../../source/format/style.ts';
import {heatLevels} from '../../../source/view/line.ts';
import {lightnessOf} from '../../../source/view/theme/color.ts';
import {paletteNames} from '../../../source/view/theme/names.ts';
import {createTheme, heatRamp} from '../../../source/view/theme/theme.ts';

const channel = fc.integer({min: 0, max: 255});
const anyColor: fc.Arbitrary<Rgb> = fc.tuple(channel, channel, channel);
/** A dark grey that many terminals have behind their text. */
const darkGrey: Rgb = [30, 30, 30];

test('a ramp of any hue gets lighter in even steps and stands out from a dark screen', () => {
	fc.assert(
		fc.property(anyColor, color => {
			const lightness = heatRamp(color, heatLevels, 'dark').map(lightnessOf);
			const steps = lightness.slice(1).map((value, index) => value - (lightness[index] ?? 0));
			const even = ((lightness.at(-1) ?? 0) - (lightness[0] ?? 0)) / (heatLevels - 1);
			for (const step of steps) {
				expect(step).toBeGreaterThan(even * 0.7);
				expect(step).toBeLessThan(even * 1.3);
			}

			expect((lightness[0] ?? 0) - lightnessOf(darkGrey)).toBeGreaterThan(0.08);
			expect(lightness.at(-1)).toBeGreaterThan(0.9);
		}),
	);
});

describe('the heat of a span', () => {
	const span = (side: 'up' | 'down', level: number) => ({text: ' ', heat: {side, level}});
	const paint = (color: 0 | 1 | 2 | 3, ...spans: ReadonlyArray<ReturnType<typeof span>>) =>
		createTheme({palette: 'classic', color}).paint(spans);

	test('has a colour of its own for each level and side, in every palette', () => {
		const all = (['up', 'down'] as const).flatMap(side =>
			Array.from({length: heatLevels}, (_, level) => span(side, level)),
		);
		for (const palette of paletteNames) {
			const styles = createTheme({palette, color: 3})
				.paint(all)
				.map(({style}) => style);
			expect(new Set(styles.map(({background}) => background)).size).toBe(2 * heatLevels);
			expect(styles.every(({background}) => /^48;2(;\d{1,3}){3}$/.test(background))).toBe(true);
		}
	});

	test('has text that stands out, and is grey while stale', () => {
		const [dark, light] = paint(3, span('up', 0), span('up', heatLevels - 1)).map(({style}) => style.foreground);
		expect([dark, light]).toEqual(['38;2;255;255;255', '38;2;0;0;0']);
		const [stale] = createTheme({palette: 'classic', color: 3}).paint([span('up', 9)], true);
		const [red, green, blue] = stale?.style.background.split(';').slice(2) ?? [];
		expect([green, blue]).toEqual([red, red]);
	});

	test.each([0, 1, 2] as const)('is not shown at colour level %s', color => {
		expect(createTheme({palette: 'classic', color}).hasHeat).toBe(false);
		expect(paint(color, span('down', 3))[0]?.style.background).toBe('');
	});
});

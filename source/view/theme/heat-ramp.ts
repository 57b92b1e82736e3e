import type {Rgb} from '../../format/style.ts';
import {inGamut, oklabOf} from './color.ts';

/** The first step stands out from the screen, dark or light; the last is nearly white, or nearly black. */
const ends = {dark: [0.34, 0.93], light: [0.86, 0.27]} as const;
/** The most colourful a step gets, in the middle of the ramp; its ends have this share of it. */
const mostChroma = 0.14;
const endShare = 0.45;

/**
 * A perceptually even ramp away from a dark or light screen in the hue of `color`: each step is lighter, or darker, than the one
 * before by the same amount. Grey for a grey colour.
 */
export function heatRamp(color: Rgb, steps: number, screen: 'dark' | 'light'): readonly Rgb[] {
	const [first, last] = ends[screen];
	const [, a, b] = oklabOf(color);
	const chroma = Math.hypot(a, b);
	// Greys have no hue to speak of.
	const [hueA, hueB] = chroma < 0.02 ? [0, 0] : [a / chroma, b / chroma];
	return Array.from({length: steps}, (_, step) => {
		const share = step / Math.max(steps - 1, 1);
		const wanted = mostChroma * (endShare + (1 - endShare) * Math.sin(Math.PI * share));
		return inGamut(first + (last - first) * share, hueA * wanted, hueB * wanted);
	});
}

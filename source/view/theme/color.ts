import type {Rgb} from '../../format/style.ts';
import {clamp} from '../../market/numbers.ts';

/** Lightness (0 to 1), and the distances from grey towards red and yellow, in which equal differences look equal (OKLab). */
type Oklab = readonly [lightness: number, a: number, b: number];

/** The colour of a text such as `#26c281`; black for any other. */
export function rgb(text: string): Rgb {
	const [red = 0, green = 0, blue = 0] = [1, 3, 5].map(at => Number.parseInt(text.slice(at, at + 2), 16) || 0);
	return [red, green, blue];
}

// https://bottosson.github.io/posts/oklab/
export function oklabOf([red, green, blue]: Rgb): Oklab {
	const [r, g, b] = [decoded(red / 255), decoded(green / 255), decoded(blue / 255)];
	const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
	const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
	const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
	return [
		0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
		1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
		0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
	];
}

/** Linear red, green and blue; outside 0 to 1 where a screen cannot show the colour. */
function linearOf([lightness, a, b]: Oklab): readonly number[] {
	const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
	const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
	const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
	return [
		4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
		-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
		-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
	];
}

/** The transfer function of sRGB and its inverse. */
const encoded = (value: number): number => (value <= 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055);
const decoded = (value: number): number => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);

/** The lightness of a colour, 0 to 1, in which equal differences look equal. */
export const lightnessOf = (color: Rgb): number => oklabOf(color)[0];

/** The colour of this lightness and hue that is as colourful as a screen can show, up to the length of `a` and `b`. */
export function inGamut(lightness: number, a: number, b: number): Rgb {
	let [least, most] = [0, 1];
	const at = (part: number) => linearOf([lightness, a * part, b * part]);
	const isShown = (part: number) => at(part).every(value => value >= 0 && value <= 1);
	if (isShown(most)) least = most;
	for (let round = 0; round < 20 && least < most; round++) {
		const middle = (least + most) / 2;
		if (isShown(middle)) least = middle;
		else most = middle;
	}

	const [red = 0, green = 0, blue = 0] = at(least).map(value => Math.round(encoded(clamp(value, 0, 1)) * 255));
	return [red, green, blue];
}

/** WCAG 2: from 1 to 21. */
export const contrastOf = (one: Rgb, other: Rgb): number => contrastBetween(luminanceOf(one), luminanceOf(other));

const contrastBetween = (one: number, other: number): number =>
	(Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);

const luminanceOf = ([red, green, blue]: Rgb): number =>
	0.2126 * decoded(red / 255) + 0.7152 * decoded(green / 255) + 0.0722 * decoded(blue / 255);

const black: Rgb = [0, 0, 0];
const white: Rgb = [255, 255, 255];

/** Black or white, whichever is easier to read on the colour. */
export const readableOn = (color: Rgb): Rgb => (contrastOf(black, color) >= contrastOf(white, color) ? black : white);

/**
 * The colour, lighter or darker as far as it takes to have this contrast with the background, in the same hue. Black or white
 * where no colour has it.
 */
export function withContrast(color: Rgb, background: Rgb, contrast: number): Rgb {
	if (contrastOf(color, background) >= contrast) return color;
	const end = readableOn(background);
	const [from, a, b] = oklabOf(color);
	const to = lightnessOf(end);
	let chosen = end;
	// The nearer to the end, the more it stands out.
	let [faint, enough] = [0, lightnessSteps];
	while (enough - faint > 1) {
		const step = Math.floor((faint + enough) / 2);
		const shifted = inGamut(from + ((to - from) * step) / lightnessSteps, a, b);
		if (contrastOf(shifted, background) >= contrast) [enough, chosen] = [step, shifted];
		else faint = step;
	}

	return chosen;
}

const lightnessSteps = 64;

/** A colour of the same hue, half as far from the background in lightness. */
export function halfway(color: Rgb, background: Rgb): Rgb {
	const [lightness, a, b] = oklabOf(color);
	return inGamut((lightness + lightnessOf(background)) / 2, a, b);
}

/** How different two colours look: the distance in OKLab. */
const distance = (one: Oklab, other: Oklab): number =>
	Math.hypot(one[0] - other[0], one[1] - other[1], one[2] - other[2]);

/** Below this, a colour has no hue to speak of. */
const leastChroma = 0.03;

const firstIndexed = 16;
const cubeSteps = [0, 95, 135, 175, 215, 255];
/** The 256 colours of xterm that are the same in every terminal: a cube of six steps a channel, then 24 greys. */
const indexed = [
	...cubeSteps.flatMap(red => cubeSteps.flatMap(green => cubeSteps.map((blue): Rgb => [red, green, blue]))),
	...Array.from({length: 24}, (_, step): Rgb => [8 + step * 10, 8 + step * 10, 8 + step * 10]),
].map((color, index) => ({
	number: firstIndexed + index,
	lab: oklabOf(color),
	luminance: luminanceOf(color),
	isGrey: isGrey(color),
}));

/** The number of the one of 256 colours that looks nearest, of those with this contrast to the background. */
export function nearestIndexed(color: Rgb, background: Rgb, contrast: number): number {
	const [lab, wantsGrey, behind] = [oklabOf(color), isGrey(color), luminanceOf(background)];
	const legible = indexed.filter(({luminance}) => contrastBetween(luminance, behind) >= contrast);
	const alike = legible.filter(each => each.isGrey === wantsGrey);
	const fits = [alike, legible].find(each => each.length > 0) ?? indexed;
	const chosen = nearest(fits, each => distance(each.lab, lab));
	return chosen?.number ?? firstIndexed;
}

/** The 16 colours as xterm has them; users choose their own. */
export const basic: readonly Rgb[] = (
	'#000000 #cd0000 #00cd00 #cdcd00 #0000ee #cd00cd #00cdcd #e5e5e5 ' +
	'#7f7f7f #ff0000 #00ff00 #ffff00 #5c5cff #ff00ff #00ffff #ffffff'
)
	.split(' ')
	.map(rgb);

/** The number of the one of 16 colours that looks nearest: for a grey another grey, for a colour one of about its hue. */
export function nearestBasic(color: Rgb): number {
	const [lightness, a, b] = oklabOf(color);
	const hue = Math.atan2(b, a);
	const fits = basic.filter(each => isGrey(each) === isGrey(color));
	const apart = (each: Rgb): number => {
		const [eachLightness, eachA, eachB] = oklabOf(each);
		const turn = isGrey(color) ? 0 : Math.sin((Math.atan2(eachB, eachA) - hue) / 2);
		return Math.hypot(turn, eachLightness - lightness);
	};
	return basic.indexOf(nearest(fits, apart) ?? black);
}

function isGrey(color: Rgb): boolean {
	const [, a, b] = oklabOf(color);
	return Math.hypot(a, b) < leastChroma;
}

/** Undefined: there are none. */
function nearest<Each>(all: readonly Each[], apart: (each: Each) => number): Each | undefined {
	let best: Each | undefined;
	let least = Infinity;
	for (const each of all) {
		const size = apart(each);
		if (size < least) [best, least] = [each, size];
	}

	return best;
}

/** A colour as red, green and blue, 0 to 255. */
export type Rgb = readonly [red: number, green: number, blue: number];

/** Lightness (0 to 1), and the distances from grey towards red and yellow, in which equal differences look equal (OKLab). */
type Oklab = readonly [lightness: number, a: number, b: number];

/** The darkest step stands out from a black or dark grey screen, the lightest is nearly white. */
const darkest = 0.34;
const lightest = 0.93;
/** The most colourful a step gets, in the middle of the ramp; its ends have this share of it. */
const mostChroma = 0.14;
const endShare = 0.45;

/**
 * A perceptually even ramp from dark to light in the hue of `color`: each step is lighter than the one before by the same
 * amount. Grey for a grey colour.
 */
export function heatRamp(color: Rgb, steps: number): readonly Rgb[] {
	const [, a, b] = oklabOf(color);
	const chroma = Math.hypot(a, b);
	// Greys have no hue to speak of.
	const hue = chroma < 0.02 ? [0, 0] : [a / chroma, b / chroma];
	return Array.from({length: steps}, (_, step) => {
		const share = step / Math.max(steps - 1, 1);
		const wanted = mostChroma * (endShare + (1 - endShare) * Math.sin(Math.PI * share));
		return inGamut(darkest + (lightest - darkest) * share, hue[0] ?? 0, hue[1] ?? 0, wanted);
	});
}

/** The colour of this lightness and hue that is as colourful as a screen can show, up to `chroma`. */
function inGamut(lightness: number, a: number, b: number, chroma: number): Rgb {
	let [least, most] = [0, chroma];
	const at = (part: number) => linearOf([lightness, a * part, b * part]);
	const isShown = (part: number) => at(part).every(value => value >= 0 && value <= 1);
	if (isShown(most)) least = most;
	for (let round = 0; round < 20 && least < most; round++) {
		const middle = (least + most) / 2;
		if (isShown(middle)) least = middle;
		else most = middle;
	}

	const [red = 0, green = 0, blue = 0] = at(least).map(value => Math.round(encoded(value) * 255));
	return [red, green, blue];
}

/** The lightness of a colour, 0 to 1, in which equal differences look equal. */
export const lightnessOf = (color: Rgb): number => oklabOf(color)[0];

// https://bottosson.github.io/posts/oklab/
function oklabOf([red, green, blue]: Rgb): Oklab {
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

import {type ColorLevel, type Rgb, type Run, type Style, styleOf} from '../../format/style.ts';
import {barTones, type Heat, heatLevels, type Line, seriesTones, type Tone} from '../line.ts';
import {
	basic,
	halfway,
	inGamut,
	nearestBasic,
	nearestIndexed,
	oklabOf,
	readableOn,
	rgb,
	withContrast,
} from './color.ts';
import {basicNames, type PaletteName, type ThemeName, type ToneColors, type ToneName} from './names.ts';
import {isLight, pairOf, plainScheme, type Scheme, schemeOf, withoutOrange} from './schemes.ts';

/** What a theme is made of. */
export type Look = {
	/** Default `auto`. */
	readonly theme?: ThemeName | undefined;
	readonly palette: PaletteName;
	readonly color: ColorLevel;
	/** In place of the theme's. Default: none. */
	readonly colors?: ToneColors | undefined;
	/** Of the terminal; absent: it is not known. */
	readonly background?: Rgb | undefined;
};

export type LookChanges = {readonly [Name in keyof Look]?: Look[Name] | undefined};

export type Theme = {
	/** Turns a row into styled runs. `stale` dims everything but warnings and errors. */
	paint(line: Line, stale?: boolean): readonly Run[];
	/** Whether it shows the heat of spans, which takes 24-bit colours. */
	readonly hasHeat: boolean;
	/** This theme with some of its look changed. Undefined values change nothing. */
	with(changes: LookChanges): Theme;
};

/** The least contrast of text, and of curves, bars and borders, with the background. WCAG 2.2, 1.4.3 and 1.4.11. */
const textContrast = 4.5;
const lineContrast = 3;

// The name of a curve stands in its colour.
const lines = new Set<Tone>(['border', ...barTones]);
const contrastFor = (tone: Tone): number => (lines.has(tone) ? lineContrast : textContrast);

/** The colours of all tones; those of the terminal's own text are absent. */
function colorsOf(scheme: Scheme, palette: PaletteName): Partial<Record<Tone, Rgb>> {
	const {up, down} = pairOf(scheme, palette);
	const {background, text} = scheme;
	const series = seriesTones.map((tone, index) => [tone, scheme.series[index]] as const);
	return {
		...(text && {plain: text, strong: text, title: text}),
		...{up, down, rose: up, fell: down, upBar: halfway(up, background), downBar: halfway(down, background)},
		...{muted: scheme.grey, border: scheme.border, focus: scheme.cyan, accent: scheme.cyan},
		...{good: scheme.green, warn: scheme.yellow, error: scheme.pink},
		...Object.fromEntries(series),
	};
}

const toneOf = (name: ToneName): Tone => (name === 'up-bar' ? 'upBar' : name === 'down-bar' ? 'downBar' : name);

const bold = new Set<Tone>(['strong', 'title', 'focus', 'error', 'rose', 'fell']);
/** Underlined where there is no colour: they also stand in bold text. */
const changes = new Set<Tone>(['rose', 'fell']);

export function createTheme(look: Look): Theme {
	const {palette, color} = look;
	const named = schemeOf(look.theme ?? 'auto', look.background);
	// The 16 colours are the user's own: of a theme, they show what is green and what is red. None of them is orange.
	const scheme = color === 1 ? withoutOrange(plainScheme(named)) : named;
	const {background} = scheme;
	const given = Object.entries(withFollowers(look.colors ?? {})) as [ToneName, string][];
	const numbers = new Map(given.map(([name, text]) => [toneOf(name), basicNumber(text)] as const));
	const own = new Map(given.map(([name, text]) => [toneOf(name), basic[basicNumber(text)] ?? rgb(text)] as const));
	const colors: Partial<Record<Tone, Rgb>> = {...colorsOf(scheme, palette), ...Object.fromEntries(own)};
	const legible = (tone: Tone, value: Rgb): Rgb => withContrast(value, background, contrastFor(tone));
	const rgbOf = (tone: Tone): Rgb | undefined => {
		const value = colors[tone];
		return value && !own.has(tone) ? legible(tone, value) : value;
	};
	/** Among 16 colours, a bar has the colour of its side. */
	const basicTone = (tone: Tone): Tone =>
		own.has(tone) ? tone : tone === 'upBar' ? 'up' : tone === 'downBar' ? 'down' : tone;

	const foreground = (tone: Tone): string => {
		if (color === 0) return '';
		const shown = color === 1 ? basicTone(tone) : tone;
		const chosen = numbers.get(shown) ?? -1;
		if (chosen >= 0) return basicSgr(chosen);
		const value = rgbOf(shown);
		if (!value) return '';
		if (color === 3) return sgr(38, value);
		if (color === 2) return `38;5;${nearestIndexed(value, background, own.has(tone) ? 1 : contrastFor(tone))}`;
		return basicSgr(nearestBasic(value));
	};
	const hasHeat = color === 3;
	const ramps = hasHeat ? rampsOf({up: rgbOf('up'), down: rgbOf('down')}, background) : undefined;
	const paintedAs = (tone: Tone, inverse: boolean, stale: boolean, heat: Heat | undefined): Style => {
		const dimmed = stale && tone !== 'warn' && tone !== 'error';
		const isUnderlined = color === 0 && changes.has(tone);
		// Grey that is dim as well would be too faint to read.
		const isDim = color === 0 && dimmed && !heat;
		const weight = isDim ? ['2'] : isUnderlined ? ['4'] : bold.has(tone) && !dimmed ? ['1'] : [];
		const attributes = [...weight, ...(inverse ? ['7'] : [])].join(';');
		const behind = heat && ramps?.[stale ? 'stale' : heat.side][heat.level];
		if (behind) return styleOf(attributes, sgr(38, readableOn(behind)), sgr(48, behind));
		return styleOf(attributes, foreground(dimmed ? 'muted' : tone));
	};

	// A frame has a thousand spans in a few dozen styles.
	const styles = new Map<string, Style>();
	const styleFor = (tone: Tone, inverse: boolean, stale: boolean, heat: Heat | undefined): Style => {
		const behind = heat ? ` ${heat.side}${heat.level}` : '';
		const name = tone + (inverse ? ' inverse' : '') + (stale ? ' stale' : '') + behind;
		let style = styles.get(name);
		if (!style) {
			style = paintedAs(tone, inverse, stale, heat);
			styles.set(name, style);
		}

		return style;
	};

	const theme: Theme = {
		paint: (line, stale = false) =>
			line.map(({text, tone = 'plain', inverse = false, heat}) => ({
				text,
				style: styleFor(tone, inverse, stale, heat),
			})),
		hasHeat,
		with(changed) {
			const entries = Object.entries(changed).filter(([, value]) => value !== undefined);
			const next = {...look, ...Object.fromEntries(entries)};
			const isSame = entries.every(([name, value]) => look[name as keyof Look] === value);
			return isSame ? theme : createTheme(next);
		},
	};
	return theme;
}

/** The ramps of both sides in the palette's hues, and a grey one for stale data. */
function rampsOf({up, down}: {readonly up: Rgb | undefined; readonly down: Rgb | undefined}, background: Rgb) {
	const ramp = (color: Rgb = grey) => heatRamp(color, heatLevels, isLight(background) ? 'light' : 'dark');
	return {up: ramp(up), down: ramp(down), stale: ramp()};
}

const grey: Rgb = [128, 128, 128];

/** With digits that have just changed, and bars, in the colour of their side, unless they are given their own. */
const withFollowers = (colors: ToneColors): ToneColors => ({
	...(colors.up === undefined ? {} : {rose: colors.up, 'up-bar': colors.up}),
	...(colors.down === undefined ? {} : {fell: colors.down, 'down-bar': colors.down}),
	...colors,
});

/** -1: it is no name of the 16 colours. */
const basicNumber = (text: string): number => (basicNames as readonly string[]).indexOf(text);

const basicSgr = (number: number): string => String(number < 8 ? 30 + number : 82 + number);

const sgr = (target: 38 | 48, color: Rgb): string => `${target};2;${color.join(';')}`;

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

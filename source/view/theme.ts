import {type ColorLevel, type Run, type Style, styleOf} from '../format/style.ts';
import {heatRamp, lightnessOf, type Rgb} from './heat-ramp.ts';
import {barTones, type Heat, heatLevels, type Line, type MixedTone, seriesTones, type Tone} from './line.ts';

export const paletteNames = ['classic', 'swapped', 'blue-orange'] as const;
/** `classic`: green up, red down; `swapped`: the other way round; `blue-orange`: for colour-blind eyes. */
export type PaletteName = (typeof paletteNames)[number];

export type Theme = {
	/** Turns a row into styled runs. `stale` dims everything but warnings and errors. */
	paint(line: Line, stale?: boolean): readonly Run[];
	/** Whether it shows the heat of spans, which takes 24-bit colours. */
	readonly hasHeat: boolean;
	/** A theme for the terminal of this one, with the colours of `palette`. */
	withPalette(palette: PaletteName): Theme;
};

/** SGR parameters by colour level: 16 colours, 256 colours, truecolor. */
type Color = readonly [basic: string, indexed: string, direct: string];

const green: Color = ['32', '38;5;41', '38;2;38;194;129'];
const red: Color = ['31', '38;5;203', '38;2;240;84;84'];
const darkGreen: Color = ['32', '38;5;29', '38;2;24;116;82'];
const darkRed: Color = ['31', '38;5;131', '38;2;150;58;62'];
const blue: Color = ['94', '38;5;75', '38;2;86;180;233'];
const orange: Color = ['33', '38;5;208', '38;2;230;140;20'];
const darkBlue: Color = ['34', '38;5;25', '38;2;40;100;150'];
const darkOrange: Color = ['33', '38;5;130', '38;2;150;92;20'];

type Pair = {readonly up: Color; readonly down: Color; readonly upBar: Color; readonly downBar: Color};
const pairs: Record<PaletteName, Pair> = {
	classic: {up: green, down: red, upBar: darkGreen, downBar: darkRed},
	swapped: {up: red, down: green, upBar: darkRed, downBar: darkGreen},
	'blue-orange': {up: blue, down: orange, upBar: darkBlue, downBar: darkOrange},
};

const grey: Color = ['90', '38;5;245', '38;2;134;142;156'];
const common: Record<Exclude<Tone, keyof Pair | 'rose' | 'fell' | MixedTone | 'plain' | 'strong' | 'title'>, Color> = {
	muted: grey,
	focus: ['36', '38;5;80', '38;2;92;207;230'],
	border: ['90', '38;5;240', '38;2;84;92;106'],
	accent: ['36', '38;5;80', '38;2;92;207;230'],
	series1: ['35', '38;5;141', '38;2;178;148;255'],
	series2: ['33', '38;5;221', '38;2;240;200;90'],
	series3: ['36', '38;5;80', '38;2;92;207;230'],
	series4: ['37', '38;5;252', '38;2;208;208;208'],
	series5: ['94', '38;5;75', '38;2;86;160;240'],
	series6: ['92', '38;5;114', '38;2;140;215;130'],
	good: green,
	warn: ['33', '38;5;221', '38;2;240;200;90'],
	error: ['35', '38;5;205', '38;2;240;110;190'],
};

const channelsOf = (direct: string): readonly number[] => direct.split(';').slice(2).map(Number);
/** The steps of each channel in the cube of 256 colours. */
const cubeSteps = [0, 95, 135, 175, 215, 255];
const firstOfCube = 16;

function cubeStep(channel: number): number {
	const distances = cubeSteps.map(step => Math.abs(step - channel));
	return distances.indexOf(Math.min(...distances));
}

/** The mean of some colours; among 16 colours the first. */
function mixOf(colors: readonly Color[]): Color {
	const all = colors.map(([, , direct]) => channelsOf(direct));
	const channels = [0, 1, 2].map(index =>
		Math.round(all.reduce((sum, each) => sum + (each[index] ?? 0), 0) / Math.max(all.length, 1)),
	);
	const [red = 0, green = 0, blue = 0] = channels.map(cubeStep);
	return [colors[0]?.[0] ?? '', `38;5;${firstOfCube + red * 36 + green * 6 + blue}`, `38;2;${channels.join(';')}`];
}

const bold = new Set<Tone>(['strong', 'title', 'focus', 'error', 'rose', 'fell']);
/** Underlined where there is no colour: they also stand in bold text. */
const changes = new Set<Tone>(['rose', 'fell']);

export function createTheme({palette, color}: {palette: PaletteName; color: ColorLevel}): Theme {
	const pair = pairs[palette];
	const colors: Partial<Record<Tone, Color>> = {
		...common,
		...pair,
		rose: pair.up,
		fell: pair.down,
	};
	const mixable = new Map<string, Color | undefined>([...seriesTones, ...barTones].map(tone => [tone, colors[tone]]));
	const mixed = (tone: Tone): Color | undefined =>
		tone.includes('+')
			? mixOf(
					tone
						.split('+')
						.map(part => mixable.get(part))
						.filter(each => each !== undefined),
				)
			: undefined;
	const colorOf = (tone: Tone): string => (color === 0 ? '' : ((colors[tone] ?? mixed(tone))?.[color - 1] ?? ''));
	const hasHeat = color === 3;
	const ramps = hasHeat ? rampsOf(pairs[palette]) : undefined;
	const look = (tone: Tone, inverse: boolean, stale: boolean, heat: Heat | undefined): Style => {
		// Some terminals do not support dim, so stale text is grey as well.
		const dimmed = stale && tone !== 'warn' && tone !== 'error';
		const isUnderlined = color === 0 && changes.has(tone);
		const weight = dimmed && !heat ? ['2'] : isUnderlined ? ['4'] : bold.has(tone) ? ['1'] : [];
		const attributes = [...weight, ...(inverse ? ['7'] : [])].join(';');
		const behind = heat && ramps?.[stale ? 'stale' : heat.side][heat.level];
		if (behind) return styleOf(attributes, sgr(38, contrasting(behind)), sgr(48, behind));
		return styleOf(attributes, colorOf(dimmed ? 'muted' : tone));
	};

	// A frame has a thousand spans in a few dozen styles.
	const styles = new Map<string, Style>();
	const styleFor = (tone: Tone, inverse: boolean, stale: boolean, heat: Heat | undefined): Style => {
		const behind = heat ? ` ${heat.side}${heat.level}` : '';
		const name = tone + (inverse ? ' inverse' : '') + (stale ? ' stale' : '') + behind;
		let style = styles.get(name);
		if (!style) {
			style = look(tone, inverse, stale, heat);
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
		withPalette: name => (name === palette ? theme : createTheme({palette: name, color})),
	};
	return theme;
}

/** The ramps of both sides in the palette's hues, and a grey one for stale data. */
const rampsOf = ({up, down}: Pair) => ({
	up: heatRamp(rgbOf(up), heatLevels),
	down: heatRamp(rgbOf(down), heatLevels),
	stale: heatRamp([128, 128, 128], heatLevels),
});

/** A truecolor's red, green and blue. */
function rgbOf([, , direct]: Color): Rgb {
	const [red = 0, green = 0, blue = 0] = channelsOf(direct);
	return [red, green, blue];
}

const sgr = (target: 38 | 48, color: Rgb): string => `${target};2;${color.join(';')}`;

/** Black or white, whichever is easier to read on the colour. */
const contrasting = (behind: Rgb): Rgb => (lightnessOf(behind) > 0.6 ? [0, 0, 0] : [255, 255, 255]);

import {type ColorLevel, type Run, type Style, styleOf} from '../format/style.ts';
import type {Line, Tone} from './line.ts';

export const paletteNames = ['classic', 'swapped', 'blue-orange'] as const;
/** `classic`: green up, red down; `swapped`: the other way round; `blue-orange`: for colour-blind eyes. */
export type PaletteName = (typeof paletteNames)[number];

export type Theme = {
	/** Turns a row into styled runs. `stale` dims everything but warnings and errors. */
	paint(line: Line, stale?: boolean): readonly Run[];
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
const common: Record<Exclude<Tone, keyof Pair | 'plain' | 'strong' | 'title'>, Color> = {
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
const bold = new Set<Tone>(['strong', 'title', 'focus', 'error']);

export function createTheme({palette, color}: {palette: PaletteName; color: ColorLevel}): Theme {
	const colors: Partial<Record<Tone, Color>> = {...common, ...pairs[palette]};
	const colorOf = (tone: Tone): string => (color === 0 ? '' : (colors[tone]?.[color - 1] ?? ''));
	const look = (tone: Tone, inverse: boolean, stale: boolean): Style => {
		// Some terminals do not support dim, so stale text is grey as well.
		const dimmed = stale && tone !== 'warn' && tone !== 'error';
		const weight = dimmed ? ['2'] : bold.has(tone) ? ['1'] : [];
		const attributes = [...weight, ...(inverse ? ['7'] : [])].join(';');
		return styleOf(attributes, colorOf(dimmed ? 'muted' : tone));
	};

	// A frame has a thousand spans in a few dozen styles.
	const styles = new Map<string, Style>();
	const styleFor = (tone: Tone, inverse: boolean, stale: boolean): Style => {
		const name = tone + (inverse ? ' inverse' : '') + (stale ? ' stale' : '');
		let style = styles.get(name);
		if (!style) {
			style = look(tone, inverse, stale);
			styles.set(name, style);
		}

		return style;
	};

	return {
		paint: (line, stale = false) =>
			line.map(({text, tone = 'plain', inverse = false}) => ({text, style: styleFor(tone, inverse, stale)})),
	};
}

export const paletteNames = ['classic', 'swapped', 'blue-orange'] as const;
/** `classic`: green up, red down; `swapped`: the other way round; `blue-orange`: for colour-blind eyes. */
export type PaletteName = (typeof paletteNames)[number];

export const themeNames = ['auto', 'dark', 'light', 'catppuccin-mocha', 'gruvbox-dark', 'solarized-light'] as const;
/** `auto`: dark or light, as the terminal's background is. The last three are for terminals of that name's background. */
export type ThemeName = (typeof themeNames)[number];

/** Every tone that has a colour of its own, by its name in the config file. */
export const toneNames = [
	...(['plain', 'muted', 'strong', 'up', 'down', 'rose', 'fell', 'up-bar', 'down-bar'] as const),
	...(['title', 'focus', 'border', 'accent', 'good', 'warn', 'error'] as const),
	...(['series1', 'series2', 'series3', 'series4', 'series5', 'series6'] as const),
] as const;
export type ToneName = (typeof toneNames)[number];

const hues = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'] as const;
/** The 16 colours, by their numbers in a terminal. Users choose how they look. */
export const basicNames = [...hues, ...hues.map(hue => `bright-${hue}` as const)] as const;

/** Colours such as `#26c281`, or of `basicNames`, in place of a theme's. */
export type ToneColors = Readonly<Partial<Record<ToneName, string>>>;

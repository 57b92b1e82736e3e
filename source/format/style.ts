/** How text looks on a terminal. Equal styles are the same object. */
export type Style = {
	/** SGR parameters of the attributes, such as `1;7`; empty: none. */
	readonly attributes: string;
	/** SGR parameters of the colour, such as `38;5;41`; empty: the terminal's own. */
	readonly foreground: string;
	/** SGR parameters of the colour behind the text, such as `48;2;12;60;40`; empty: the terminal's own. */
	readonly background: string;
};

/** A colour as red, green and blue, 0 to 255. */
export type Rgb = readonly [red: number, green: number, blue: number];

/** A piece of a row in one style. */
export type Run = {readonly text: string; readonly style: Style};

/** 0: no colours (bold, dim and inverse stay), 1: 16 colours, 2: 256 colours, 3: truecolor; numbered as in chalk. */
export type ColorLevel = 0 | 1 | 2 | 3;

const styles = new Map<string, Style>();

/** The style with these SGR parameters. */
export function styleOf(attributes: string, foreground: string, background = ''): Style {
	const key = `${attributes}|${foreground}|${background}`;
	let style = styles.get(key);
	if (!style) {
		style = {attributes, foreground, background};
		styles.set(key, style);
	}

	return style;
}

export const plainStyle = styleOf('', '');

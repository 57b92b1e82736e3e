/** How a cell is drawn. Interned: equal styles are the same object. */
export type Style = {
	/** SGR parameters as they were written, such as `31` or `38;2;1;2;3`; absent: the terminal's own colour. */
	readonly foreground: string | undefined;
	readonly background: string | undefined;
	/** SGR parameters of the attributes that are on, such as `1` for bold; in order. */
	readonly attributes: readonly Attribute[];
};

/** Bold, dim, italic, underline, inverse, hidden, strikethrough. */
const attributes = ['1', '2', '3', '4', '7', '8', '9'] as const;
type Attribute = (typeof attributes)[number];

const offCodes: Record<Attribute, string> = {1: '22', 2: '22', 3: '23', 4: '24', 7: '27', 8: '28', 9: '29'};

const isAttribute = (code: string): code is Attribute => Object.hasOwn(offCodes, code);

const known = new Map<string, Style>();

function style(
	foreground: string | undefined,
	background: string | undefined,
	on: (attribute: Attribute) => boolean,
): Style {
	const chosen = attributes.filter(on);
	const key = `${foreground}|${background}|${chosen.join('')}`;
	const found = known.get(key);
	if (found) return found;
	const created: Style = {foreground, background, attributes: chosen};
	known.set(key, created);
	return created;
}

export const defaultStyle = style(undefined, undefined, () => false);

/**
 * The style after `ESC [ parameters m` in `from`. `undefined` when a parameter is none of: attributes, the 16, 256 and
 * 16 million colours, and what switches them off.
 */
export function applySgr(from: Style, parameters: string): Style | undefined {
	let results = applied.get(from);
	if (!results) {
		results = new Map();
		applied.set(from, results);
	}

	if (!results.has(parameters)) results.set(parameters, interpretSgr(from, parameters));
	return results.get(parameters);
}

/** A program draws in a few styles again and again. */
const applied = new WeakMap<Style, Map<string, Style | undefined>>();

function interpretSgr(from: Style, parameters: string): Style | undefined {
	const codes = parameters.split(';').map(code => code.replace(/^0+(?=\d)/, '') || '0');
	let current = from;
	for (let index = 0; index < codes.length; index++) {
		const code = codes[index] ?? '0';
		if (code === '38' || code === '48') {
			const length = codes[index + 1] === '5' ? 3 : codes[index + 1] === '2' ? 5 : 0;
			if (length === 0 || index + length > codes.length) return undefined;
			const color = codes.slice(index, index + length).join(';');
			current =
				code === '38' ? withColors(current, color, current.background) : withColors(current, current.foreground, color);
			index += length - 1;
			continue;
		}

		const next = applyCode(current, code);
		if (!next) return undefined;
		current = next;
	}

	return current;
}

function applyCode(from: Style, code: string): Style | undefined {
	if (code === '0') return defaultStyle;
	if (code === '39') return withColors(from, undefined, from.background);
	if (code === '49') return withColors(from, from.foreground, undefined);
	if (/^(?:3|9)[0-7]$/.test(code)) return withColors(from, code, from.background);
	if (/^(?:4|10)[0-7]$/.test(code)) return withColors(from, from.foreground, code);
	const {foreground, background} = from;
	if (isAttribute(code)) {
		return style(foreground, background, attribute => attribute === code || from.attributes.includes(attribute));
	}

	if (!Object.values(offCodes).includes(code)) return undefined;
	return style(
		foreground,
		background,
		attribute => from.attributes.includes(attribute) && offCodes[attribute] !== code,
	);
}

const withColors = (from: Style, foreground: string | undefined, background: string | undefined) =>
	style(foreground, background, attribute => from.attributes.includes(attribute));

const transitions = new WeakMap<Style, WeakMap<Style, string>>();

/** The shortest SGR sequence that changes the pen from one style to another; empty when they are the same. */
export function styleChange(from: Style, to: Style): string {
	if (from === to) return '';
	let changes = transitions.get(from);
	if (!changes) {
		changes = new WeakMap();
		transitions.set(from, changes);
	}

	let change = changes.get(to);
	if (change === undefined) {
		change = shortestChange(from, to);
		changes.set(to, change);
	}

	return change;
}

function shortestChange(from: Style, to: Style): string {
	const off = new Set<string>();
	for (const attribute of from.attributes) if (!to.attributes.includes(attribute)) off.add(offCodes[attribute]);
	const missing = to.attributes.filter(
		attribute => !from.attributes.includes(attribute) || off.has(offCodes[attribute]),
	);
	const step = [...off, ...missing];
	if (from.foreground !== to.foreground) step.push(to.foreground ?? '39');
	if (from.background !== to.background) step.push(to.background ?? '49');

	// An empty first parameter is 0.
	const afresh = ['', ...to.attributes];
	if (to.foreground !== undefined) afresh.push(to.foreground);
	if (to.background !== undefined) afresh.push(to.background);
	const [stepText, afreshText] = [step.join(';'), afresh.join(';')];
	return `\u001B[${stepText.length < afreshText.length ? stepText : afreshText}m`;
}

type Edit = readonly [text: string, replacement: string];

/** What the program has changed in Ink and in what Ink is made of, by the file; each text stands there once. */
const lighterInk: Readonly<Record<string, readonly Edit[]>> = {
	'ink/build/output.js': [
		['import stringWidth', "import {joinPieces} from 'ink-text';\nimport stringWidth"],
		['get() {', 'get() { return joinPieces(this) ?? this.getByCell(); }\n    getByCell() {'],
	],
	'ink/build/dom.js': [
		['import Yoga', "import {isStyledRows, keepsShape} from 'ink-text';\nimport Yoga"],
		// Whose shape stays needs no new layout.
		[
			'    node.nodeValue = text;\n    markNodeAsDirty(node);',
			`    const columns = findClosestYogaNode(node)?.getComputedWidth() ?? 0;
    const stays = isStyledRows(text) && isStyledRows(node.nodeValue) && keepsShape(node.nodeValue, text, columns);
    node.nodeValue = text;
    if (!stays) markNodeAsDirty(node);`,
		],
	],
	'ink/build/squash-text-nodes.js': [
		['import sanitizeAnsi', "import {isStyledRows} from 'ink-text';\nimport sanitizeAnsi"],
		['text = sanitizeAnsi(', 'if (isStyledRows(text)) return text;\n    text = sanitizeAnsi('],
	],
	'ink/build/render-node-to-output.js': [
		[
			"import widestLine from 'widest-line'",
			"import measureText from './measure-text.js';\nconst widestLine = text => measureText(text).width",
		],
	],
	'ink/build/measure-text.js': [
		["import widestLine from 'widest-line'", "import {widestRow as widestLine} from 'ink-text'"],
		// The keys are whole panels, of which each frame has new ones: thousands of them are tens of megabytes.
		['maxSize: 4096', 'maxSize: 32'],
	],
	'restore-cursor/index.js': [
		// The cursor is given back with the terminal, see lifecycle.ts; standard error may be a file.
		["process.stderr.write('\\u001B[?25h');", ''],
	],
	'yoga-layout/dist/binaries/yoga-wasm-base64-esm.js': [
		// What it would fetch is a part of itself; to load fetch for that takes longer than all the rest.
		['"function"!=typeof fetch?Promise', 'true?Promise'],
	],
};

/**
 * The text of a module of a package as the program ships it; undefined where it ships it as it is. `ink-text`, which it
 * may import, is terminal/ink-text.ts. Throws when the module has changed so that an edit no longer fits.
 * @param path of the file, in a node_modules
 */
export function lightened(path: string, text: () => string): string | undefined {
	const name = path.replaceAll('\\', '/').split('/node_modules/').at(-1) ?? '';
	const edits = lighterInk[name];
	return edits?.reduce((contents, [before, after]) => {
		if (contents.split(before).length !== 2) throw new Error(`${name} does not have once: ${before}`);
		return contents.replace(before, () => after);
	}, text());
}

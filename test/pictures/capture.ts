/**
 * Takes a picture of the built program as it really runs:
 * `node test/pictures/capture.ts --size 120x40 --keys 'n<tab>' --out FILE.png [--text FILE.txt] -- BTCUSDT`
 */
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout as pause} from 'node:timers/promises';
import {fileURLToPath} from 'node:url';
import {parseArgs} from 'node:util';
import {keyBytes, openTerminal, type Terminal} from '../helpers/terminal.ts';
import {screenSvg, svgPng} from './render.ts';

const program = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

const {values, positionals} = parseArgs({
	allowPositionals: true,
	options: {
		size: {type: 'string', default: '120x40'},
		/** Keys to press once there is data; `<enter>`, `<up>` and so on for those with a name. */
		keys: {type: 'string', default: ''},
		out: {type: 'string'},
		text: {type: 'string'},
		/** Milliseconds to let data come in, before and after the keys. */
		settle: {type: 'string', default: '2500'},
		zoom: {type: 'string', default: '2'},
	},
});

const [, columns = '', rows = ''] = values.size.match(/^(\d+)x(\d+)$/) ?? [];
if (columns === '' || (values.out ?? values.text) === undefined) {
	console.error(
		'usage: capture.ts --size COLUMNSxROWS [--keys KEYS] [--out FILE.png] [--text FILE.txt] -- [arguments]',
	);
	process.exit(2);
}

/** The screen moves all the time and says nowhere that it is complete: so it is given time. */
async function pose(terminal: Terminal): Promise<void> {
	await terminal.waitFor(shown => terminal.alternate() && shown.some(row => row.trim() !== ''));
	await pause(Number(values.settle));
	for (const key of keyBytes(values.keys)) {
		terminal.write(key);
		// Keys that arrive together can read as another key.
		await pause(100);
	}

	if (values.keys !== '') await pause(Number(values.settle));
}

const configHome = mkdtempSync(join(tmpdir(), 'tapewatch-picture-'));
const terminal = openTerminal({
	file: process.execPath,
	args: [program, ...positionals],
	columns: Number(columns),
	rows: Number(rows),
	env: {XDG_CONFIG_HOME: configHome, XDG_STATE_HOME: configHome},
});
try {
	await pose(terminal);
	if (values.out !== undefined) writeFileSync(values.out, svgPng(screenSvg(terminal.display), Number(values.zoom)));
	if (values.text !== undefined) writeFileSync(values.text, `${terminal.screen().join('\n')}\n`);
} finally {
	terminal.kill('SIGTERM');
	await terminal.exit;
	rmSync(configHome, {recursive: true, force: true});
}

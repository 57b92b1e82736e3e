/**
 * Takes pictures of the built program as it really runs: without arguments those of the documents, else one, e.g.
 * `node test/pictures/capture.ts --size 120x40 --keys 'n<tab>' --out FILE.svg [--text FILE.txt] [--light] -- BTCUSDT`, where
 * FILE.png is a picture of its pixels
 */
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout as pause} from 'node:timers/promises';
import {fileURLToPath} from 'node:url';
import {parseArgs} from 'node:util';
import {keyBytes, openTerminal, type Terminal} from '../helpers/terminal.ts';
import {darkGround, lightGround} from './palette.ts';
import {screenSvg, svgPng} from './render.ts';

const program = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

type Shot = {
	/** `120x40`. */
	readonly size: string;
	/** Keys to press once there is data; `<enter>`, `<up>` and so on for those with a name. */
	readonly keys?: string | undefined;
	/** Arguments of the program. */
	readonly args?: readonly string[];
	/** Milliseconds to let data come in, before and after the keys. */
	readonly settle?: string | undefined;
	readonly zoom?: string | undefined;
	/** Default false: on a dark background. */
	readonly light?: boolean | undefined;
};

const small = '100x30';
const indicators = ':sma 20 50<enter>:bollinger<enter>:rsi<enter>:macd<enter>:profile<enter>';
const level = ':level 63000 "resistance"<enter>';
const pictures: Readonly<Record<string, Shot>> = {
	// Between two answers of the ticker, whose changed digits stand out.
	monitor: {size: '120x40', settle: '8000'},
	light: {size: '120x40', settle: '8000', light: true},
	chart: {size: '120x40', keys: `2z${indicators}${level}x${'<left>'.repeat(24)}m${'<right>'.repeat(16)}<up><up>`},
	// Until some candles are whole.
	footprint: {size: small, keys: ':period 1<enter>:footprint<enter>2z', settle: '90000'},
	lines: {
		size: small,
		keys: `2z+x${'<left>'.repeat(15)}:avwap<enter>${'<left>'.repeat(12)}T${'<right>'.repeat(19)}T<esc>`,
	},
	ladder: {size: small, keys: '3za0.5 btc<enter>'},
	curve: {size: small, keys: '3zb'},
	heatmap: {size: small, keys: `3zbbx${'<left>'.repeat(8)}<up><up>`, settle: '40000'},
	tape: {size: small, keys: '4zm'},
	picker: {
		size: small,
		args: ['--rate', '20'],
		keys: '1z:columns last change 1h 4h 7d volume range rvol<enter>',
		settle: '20000',
	},
	compare: {size: small, keys: ':compare btcusdt ethusdt solusdt<enter>'},
	rewound: {size: small, keys: '<', settle: '25000'},
	watch: {size: small, args: ['watch', 'BTCUSDT', 'ETHUSDT', 'SOLUSDT', 'XRPUSDT'], keys: '<tab>', settle: '12000'},
};

const isWaiting = (rows: readonly string[]): boolean => rows.some(row => /\bwaiting\b|still loading/.test(row));

/** The screen moves all the time and says nowhere that it is complete: so it is given time, and longer while it waits for data. */
async function pose(terminal: Terminal, {keys = '', settle = '2500'}: Shot): Promise<void> {
	const settled = async () => {
		await pause(Number(settle));
		await terminal.waitFor(rows => !isWaiting(rows));
	};
	await terminal.waitFor(shown => terminal.alternate() && shown.some(row => row.trim() !== ''));
	await settled();
	for (const key of keyBytes(keys)) {
		terminal.write(key);
		// Keys that arrive together can read as another key.
		await pause(100);
	}

	if (keys !== '') await settled();
}

async function take(shot: Shot, files: {readonly out?: string | undefined; readonly text?: string | undefined}) {
	const [, columns = '', rows = ''] = shot.size.match(/^(\d+)x(\d+)$/) ?? [];
	const ground = shot.light ? lightGround : darkGround;
	const configHome = mkdtempSync(join(tmpdir(), 'tapewatch-picture-'));
	const terminal = openTerminal({
		file: process.execPath,
		args: [program, ...(shot.args ?? [])],
		columns: Number(columns),
		rows: Number(rows),
		env: {
			...{TAPEWATCH_DEMO_AT: '2026-11-20T12:00:00Z', XDG_CONFIG_HOME: configHome, XDG_STATE_HOME: configHome},
			COLORFGBG: shot.light ? '0;15' : '15;0',
		},
	});
	try {
		await pose(terminal, shot);
		const svg = screenSvg(terminal.display, ground);
		if (files.out?.endsWith('.png')) writeFileSync(files.out, svgPng(svg, Number(shot.zoom ?? 2)));
		else if (files.out !== undefined) writeFileSync(files.out, `${svg}\n`);
		if (files.text !== undefined) writeFileSync(files.text, `${terminal.screen().join('\n')}\n`);
	} finally {
		terminal.kill('SIGTERM');
		await terminal.exit;
		rmSync(configHome, {recursive: true, force: true});
	}
}

const {values, positionals} = parseArgs({
	allowPositionals: true,
	options: {
		...{size: {type: 'string', default: '120x40'}, keys: {type: 'string'}, settle: {type: 'string'}},
		...{zoom: {type: 'string'}, out: {type: 'string'}, text: {type: 'string'}, light: {type: 'boolean'}},
	},
});

if (values.out !== undefined || values.text !== undefined) await take({...values, args: positionals}, values);
else if (process.argv.length > 2) {
	console.error(
		'usage: capture.ts [--size COLUMNSxROWS] [--keys KEYS] [--out FILE.svg|FILE.png] [--text FILE.txt] [--light] -- [arguments]',
	);
	process.exitCode = 2;
} else {
	for (const [name, shot] of Object.entries(pictures)) {
		await take(shot, {out: fileURLToPath(new URL(`../../docs/pictures/${name}.svg`, import.meta.url))});
	}
}

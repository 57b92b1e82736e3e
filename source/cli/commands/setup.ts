import {createInterface} from 'node:readline/promises';
import {type ExchangeError, HttpStatusError, SchemaError} from '../../client/errors.ts';
import {baseAddressOf, type Instead, type Survey, surveyAddress} from '../../client/inspect/survey.ts';
import {firstUnits} from '../../format/control.ts';
import {fileFault} from '../../format/file-fault.ts';
import {formatCount, formatExact} from '../../format/number.ts';
import type {Interface} from '../../market/types.ts';
import {programClock} from '../context.ts';
import {exitStatus, UsageError, untilInterrupted} from '../exit.ts';
import {configPath, readConfig} from '../options/config.ts';
import {demoName, type Flags, type Settings} from '../options/option-table.ts';
import {type Options, readOptions} from '../options/options.ts';
import {readSettings} from '../options/settings.ts';
import {linesOf, type Profile, writeProfile} from '../options/write-profile.ts';
import {print} from '../output.ts';
import {checkWritable} from '../replace-file.ts';
import {note, writeErrors} from '../standard-error.ts';

type Addresses = {readonly v2?: string | undefined; readonly legacy?: string | undefined};

/** As `addExchange`. */
export async function setup(flags: Flags, name: string | undefined): Promise<number> {
	const {timeout, rate} = flags;
	// What names an exchange that is not in the file yet is no reason not to add it.
	const options = await readOptions({timeout, rate, exchange: demoName}, process.env);
	const given = addressesOf(flags);
	return untilInterrupted(signal => addExchange(name, given, options, signal));
}

/**
 * Adds an exchange to the config file, after a try of its addresses. Asks for what is not given. Settles with the
 * exit status; rejects with a `UsageError` for a wrong name or address, and when nobody can be asked.
 */
async function addExchange(
	givenName: string | undefined,
	given: Addresses | undefined,
	{timeoutMs, rate}: Options,
	signal: AbortSignal,
): Promise<number> {
	const clock = programClock(process.env);
	const path = configPath(process.env);
	const {settings} = await readConfig(path, clock);
	await checkWritable(path, clock).catch(error =>
		note(`${path} cannot be written: ${fileFault(error)}; you will get the lines to add by hand`),
	);
	if (givenName !== undefined) refuseName(givenName, settings);
	const survey = async (interfaces: readonly Interface[], url: string): Promise<readonly Survey[]> => {
		note(`trying ${url}`);
		const random = Math.random;
		const surveys = await surveyAddress(interfaces, {url: new URL(url), timeoutMs, rate, clock, random, signal});
		writeErrors(...surveyLines(surveys));
		return surveys;
	};

	if (!given && !(process.stdin.isTTY && process.stderr.isTTY)) {
		throw new UsageError(
			'setup asks questions on a terminal; without one, give --base-url, --legacy-base-url or both (see tapewatch setup --help)',
		);
	}

	const dialogue = given ? undefined : openDialogue(signal);
	try {
		const addresses = given ? await tryGiven(given, survey) : await askAddresses(dialogue, survey);
		if (!addresses) {
			note(`nothing was written to ${path}`);
			return exitStatus.failed;
		}

		const existing = profileWith(addresses, settings);
		if (existing !== undefined) {
			note(`${path} already has this exchange: tapewatch --exchange ${existing}`);
			return exitStatus.done;
		}

		const name = givenName ?? (await askName(dialogue, nameFor(addresses, settings), settings));
		const namesOne = settings.exchange ?? settings['base-url'] ?? settings['legacy-base-url'];
		const isDefault = namesOne === undefined && (await askDefault(dialogue));
		const profile = {name, baseUrl: addresses.v2, legacyBaseUrl: addresses.legacy, isDefault};
		await writeProfile(path, profile, clock);
		await report(path, profile);
		return exitStatus.done;
	} finally {
		dialogue?.close();
	}
}

async function report(path: string, profile: Profile): Promise<void> {
	const command = profile.isDefault ? 'tapewatch' : `tapewatch --exchange ${profile.name}`;
	await print(`${linesOf(profile).join('\n')}\n`);
	note(
		`added to ${path}; next: ${command}, or ${command.replace('tapewatch', 'tapewatch doctor')} to check it in full`,
	);
}

/** What was typed as an address, or the reason why it is none. Without a scheme it is https, on this computer http. */
function readAddress(text: string): {readonly url: string} | {readonly fault: string} {
	const isLocal = /^(localhost|127\.|\[::1\])/.test(text);
	const full = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `${isLocal ? 'http' : 'https'}://${text}`;
	try {
		const {'base-url': url = ''} = readSettings({'base-url': full}, () => 'the address');
		return {url: baseAddressOf(url)};
	} catch (error) {
		if (error instanceof UsageError) return {fault: error.message};
		throw error;
	}
}

function addressesOf({baseUrl, legacyBaseUrl}: Flags): Addresses | undefined {
	if (baseUrl === undefined && legacyBaseUrl === undefined) return undefined;
	const read = (flag: string, text: unknown) => {
		if (text === undefined) return undefined;
		const address = readAddress(String(text));
		if ('url' in address) return address.url;
		throw new UsageError(address.fault.replace('the address', flag));
	};
	return {v2: read('--base-url', baseUrl), legacy: read('--legacy-base-url', legacyBaseUrl)};
}

type TryOut = (interfaces: readonly Interface[], url: string) => Promise<readonly Survey[]>;

/** The addresses if each has its interface, else undefined. */
async function tryGiven(given: Addresses, tryOut: TryOut): Promise<Addresses | undefined> {
	for (const source of ['v2', 'legacy'] as const) {
		const url = given[source];
		const [survey] = url === undefined ? [] : await tryOut([source], url);
		if (url === undefined || survey?.isFound) continue;
		// The two may be mixed up.
		if (survey?.instead) await tryOut([source === 'v2' ? 'legacy' : 'v2'], url);
		return undefined;
	}

	return given;
}

/** Undefined: the user gave up. */
async function askAddresses(dialogue: Dialogue | undefined, tryOut: TryOut): Promise<Addresses | undefined> {
	if (!dialogue) return undefined;
	const first = await askAddress(
		dialogue,
		'Address of the exchange, such as https://api.example.com',
		['v2', 'legacy'],
		tryOut,
	);
	if (!first) return undefined;
	const missing = first.v2 === undefined ? 'v2' : first.legacy === undefined ? 'legacy' : undefined;
	if (missing === undefined) return first;
	const question = `Address of its ${missing} interface (Enter: it has none)`;
	return {...first, ...(await askAddress(dialogue, question, [missing], tryOut))};
}

/** Asks until an address has one of the interfaces; undefined if the answer is empty. */
async function askAddress(
	dialogue: Dialogue,
	question: string,
	interfaces: readonly Interface[],
	tryOut: TryOut,
): Promise<Addresses | undefined> {
	for (;;) {
		const text = await dialogue.ask(`${question}: `);
		if (text === '') return undefined;
		const address = readAddress(text);
		if ('fault' in address) {
			note(address.fault);
			continue;
		}

		const found = (await tryOut(interfaces, address.url)).filter(({isFound}) => isFound);
		if (found.length > 0) return Object.fromEntries(found.map(survey => [survey.interface, address.url]));
		note(`no exchange found at ${address.url}; give another address, or press Enter`);
	}
}

const namePattern = /^[a-z0-9][\w-]*$/i;

function nameFault(name: string, {exchanges = {}}: Settings): string | undefined {
	if (!namePattern.test(name)) return `the name must be letters, digits, - and _, not ${name}`;
	if (name === demoName) return `${demoName} is the embedded exchange; choose another name`;
	return Object.hasOwn(exchanges, name)
		? `the config file already has an exchange ${name}; choose another name`
		: undefined;
}

function refuseName(name: string, settings: Settings): void {
	const fault = nameFault(name, settings);
	if (fault !== undefined) throw new UsageError(fault);
}

async function askName(dialogue: Dialogue | undefined, proposal: string, settings: Settings): Promise<string> {
	for (;;) {
		const name = (await dialogue?.ask(`Its name in the config file (Enter: ${proposal}): `)) || proposal;
		const fault = nameFault(name, settings);
		if (fault === undefined) return name;
		note(fault);
	}
}

/** Yes where nobody is asked. */
async function askDefault(dialogue: Dialogue | undefined): Promise<boolean> {
	for (;;) {
		const answer = (await dialogue?.ask('Use it by default? (Enter: yes, n: no): ')) ?? '';
		if (/^(y|yes)?$/i.test(answer)) return true;
		if (/^(n|no)$/i.test(answer)) return false;
	}
}

/** A free name after the host, `example` for `api.example.com`. */
function nameFor({v2, legacy}: Addresses, settings: Settings): string {
	const {hostname} = new URL(v2 ?? legacy ?? '');
	const labels = /^[\d.]+$|:/.test(hostname) ? [] : hostname.split('.');
	const label = labels.at(-2) ?? labels[0] ?? 'exchange';
	const base = namePattern.test(label) ? label : 'exchange';
	const free = (number: number): string => {
		const name = number === 1 ? base : `${base}-${number}`;
		return nameFault(name, settings) === undefined ? name : free(number + 1);
	};
	return free(1);
}

/** The name of the profile that has these addresses already. */
function profileWith({v2, legacy}: Addresses, {exchanges = {}}: Settings): string | undefined {
	const plain = (url: string | undefined) => url?.replace(/\/+$/, '');
	const isSame = (profile: (typeof exchanges)[string]) =>
		plain(profile['base-url']) === v2 && plain(profile['legacy-base-url']) === legacy;
	return Object.keys(exchanges).find(name => exchanges[name] && isSame(exchanges[name]));
}

type Dialogue = ReturnType<typeof openDialogue>;

function openDialogue(signal: AbortSignal) {
	const lines = createInterface({input: process.stdin, output: process.stderr, terminal: true});
	const ended = new AbortController();
	// In raw mode, Ctrl-C and Ctrl-D are only keys.
	lines.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
	lines.on('close', () => ended.abort());
	return {
		/** Resolves with what is typed, trimmed; empty at the end of the input. Rejects when the signal aborts. */
		async ask(question: string): Promise<string> {
			if (ended.signal.aborted) return '';
			try {
				return (await lines.question(question, {signal: AbortSignal.any([signal, ended.signal])})).trim();
			} catch (error) {
				signal.throwIfAborted();
				if (!ended.signal.aborted) throw error;
				writeErrors('');
				return '';
			}
		},
		close: () => lines.close(),
	};
}

/** What setup found at an address, a line for each interface. */
const surveyLines = (surveys: readonly Survey[]): readonly string[] =>
	surveys.map(survey => `  ${survey.interface.padEnd(6)}  ${surveyText(survey)}`);

function surveyText(survey: Survey): string {
	if (survey.isFound) return foundText(survey);
	const {instead, failures} = survey;
	const failure = failures.get('markets');
	if (instead) return `not found: ${insteadText(instead, failure)}`;
	if (failure instanceof SchemaError) return `not found: the answer ${failure.problem}`;
	return `no answer: ${failure?.brief ?? ''}${failure?.words.advice ? `; ${failure.words.advice}` : ''}`;
}

const nouns = {markets: 'market list', depth: 'order book', ticker: 'ticker', trades: 'trades', candles: 'candles'};

function foundText({markets, durationMs, interface: source, book, failures}: Survey): string {
	const read = (['markets', 'ticker', 'depth', 'trades', ...(source === 'v2' ? (['candles'] as const) : [])] as const)
		.filter(operation => !failures.has(operation))
		.map(operation => (operation === 'depth' && !book?.bids ? 'order book (asks only)' : nouns[operation]));
	const failed = Object.entries(nouns).flatMap(([operation, noun]) => {
		const failure = [...failures].find(([each]) => each === operation)?.[1];
		return failure ? [`no ${noun} (${failure.brief})`] : [];
	});
	return `${formatCount(markets, 'market')} in ${formatExact(durationMs)} ms: ${[...read, ...failed].join(', ')}`;
}

const longestQuote = 60;

/** What answers at an address that is no such exchange. */
function insteadText({status, contentType, title, start}: Instead, failure: ExchangeError | undefined): string {
	const isMissing = failure instanceof HttpStatusError && failure.status === 404;
	const refusal = failure instanceof HttpStatusError ? (isMissing ? 'HTTP 404' : failure.brief) : '';
	const what = (): string => {
		if (title !== undefined) return `a web page, “${title}”`;
		if (contentType === 'text/html' || /^<!doctype html|^<html/i.test(start)) return 'a web page';
		if (start === '') return 'an empty answer';
		const quoted = start.length > longestQuote ? `${firstUnits(start, longestQuote)}…` : start;
		if (!/^[[{]/.test(start)) return `${contentType ?? 'text'}, ${quoted}`;
		return failure ? `unexpected JSON, ${quoted}` : 'a list without a market';
	};
	if (status >= 300 && status < 400) return refusal;
	return refusal ? `${refusal}${start === '' ? '' : ` (${what()})`}` : what();
}

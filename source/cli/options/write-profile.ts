import {isDeepStrictEqual} from 'node:util';
import {parse} from 'smol-toml';
import {fileFault, hasCode} from '../../format/file-fault.ts';
import type {Clock} from '../../market/clock.ts';
import {UsageError} from '../exit.ts';
import {inTime, readText} from '../files.ts';
import {changeFile} from '../replace-file.ts';

/** An exchange for the config file. Has at least one of the two addresses. */
export type Profile = {
	/** Letters, digits, `-` and `_`. */
	readonly name: string;
	readonly baseUrl?: string | undefined;
	readonly legacyBaseUrl?: string | undefined;
	/** Whether it becomes the exchange that is used when none is named. */
	readonly isDefault: boolean;
};

/**
 * Adds a profile to the config file at `path` and leaves everything else in it as it is. Rejects with a `UsageError` that has
 * the lines to add by hand if that is not possible; then the file is unchanged.
 */
export async function writeProfile(path: string, profile: Profile, clock: Clock): Promise<void> {
	const refuse = (reason: string, cause?: unknown): never => {
		throw new UsageError(`cannot add the profile to ${path}: ${reason}; these are the lines to add`, {
			cause,
			details: linesOf(profile),
		});
	};
	try {
		await inTime(clock, signal =>
			changeFile(path, {clock, signal}, async () => {
				const toml = await readText(path).catch(error => {
					if (hasCode(error, 'ENOENT')) return '';
					throw error;
				});
				return withProfile(toml, profile) ?? refuse('the profile does not fit into its structure');
			}),
		);
	} catch (error) {
		if (error instanceof UsageError) throw error;
		refuse(fileFault(error), error);
	}
}

/** The lines of the profile as they stand in the file. */
export function linesOf({isDefault, ...profile}: Profile): readonly string[] {
	return [...(isDefault ? [defaultLine(profile.name), ''] : []), ...tableOf(profile)];
}

const defaultLine = (name: string) => `exchange = ${JSON.stringify(name)}`;

function tableOf({name, baseUrl, legacyBaseUrl}: Omit<Profile, 'isDefault'>): readonly string[] {
	return [
		`[exchanges.${name}]`,
		...(baseUrl === undefined ? [] : [`base-url = ${JSON.stringify(baseUrl)}`]),
		...(legacyBaseUrl === undefined ? [] : [`legacy-base-url = ${JSON.stringify(legacyBaseUrl)}`]),
	];
}

/** Lines of comments at the beginning of a file, up to the last blank one: no setting is among them. */
const opening = /^\uFEFF?(?:[ \t]*(?:#.*)?\r?\n)*[ \t]*\r?\n/;

/** The file's text with the profile, or undefined if it would then not say the same as before and the profile. */
export function withProfile(toml: string, profile: Profile): string | undefined {
	const eol = toml.includes('\r\n') ? '\r\n' : '\n';
	const head = opening.exec(toml)?.[0] ?? '';
	const rest = toml.slice(head.length);
	const first = profile.isDefault ? `${defaultLine(profile.name)}${eol}${rest.trim() === '' ? '' : eol}` : '';
	const settings = `${head}${first}${rest}`.trimEnd();
	const lines = [...(settings === '' ? [] : [settings, '']), ...tableOf(profile)];
	const text = `${lines.join(eol)}${eol}`;
	const [before, after] = [contentsOf(toml), contentsOf(text)];
	const isRight = before && after && isDeepStrictEqual(after, withExchange(before, profile));
	return isRight ? text : undefined;
}

type Contents = Readonly<Record<string, unknown>>;

function contentsOf(toml: string): Contents | undefined {
	try {
		// The parser's objects have no prototype, and would equal no other.
		return structuredClone(parse(toml));
	} catch {
		return undefined;
	}
}

function withExchange(contents: Contents, {name, isDefault, ...addresses}: Profile): Contents | undefined {
	const {exchanges = {}} = contents;
	if (typeof exchanges !== 'object' || exchanges === null || Object.hasOwn(exchanges, name)) return undefined;
	if (isDefault && 'exchange' in contents) return undefined;
	const {baseUrl, legacyBaseUrl} = addresses;
	const profile = {
		...(baseUrl !== undefined && {'base-url': baseUrl}),
		...(legacyBaseUrl !== undefined && {'legacy-base-url': legacyBaseUrl}),
	};
	return {...contents, ...(isDefault && {exchange: name}), exchanges: {...exchanges, [name]: profile}};
}

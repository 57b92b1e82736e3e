type Advisory = {readonly title: string; readonly severity: string; readonly url: string};

/** What `npm audit --json` prints. Without an answer of the registry it has no vulnerabilities at all. */
type Report = {
	readonly vulnerabilities?: Readonly<Record<string, {readonly via: ReadonlyArray<Advisory | string>}>>;
};

/** The packages that `dist/licences.txt` names: those whose code is in the program. */
export const bundledIn = (licences: string): ReadonlySet<string> =>
	new Set([...licences.matchAll(/^((?:@[\w.-]+\/)?[\w.-]+) \d+\.\d+\.\S+ \(.*\)$/gm)].map(([, name = '']) => name));

/** A line for each advisory on a bundled package; undefined: the registry did not answer. */
export function findingsIn({vulnerabilities}: Report, bundled: ReadonlySet<string>): readonly string[] | undefined {
	if (!vulnerabilities) return undefined;
	return Object.entries(vulnerabilities).flatMap(([name, {via}]) =>
		bundled.has(name)
			? via.flatMap(each => (typeof each === 'string' ? [] : `${name}: ${each.severity}, ${each.title}, ${each.url}`))
			: [],
	);
}

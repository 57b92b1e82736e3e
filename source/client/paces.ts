import type {Budget} from './exchange.ts';
import {createPace, type Pace, type PaceOptions} from './pace.ts';

export type Paces = {
	/** The budget of the address's host. What it has learned is kept as long as the program runs. */
	of(url: URL): Pace;
	/** Of all hosts together. */
	budget(): Budget;
};

/** One budget for each host: the interfaces of an exchange share it when they live at one. */
export function createPaces(hosts: readonly URL[], options: PaceOptions): Paces {
	const paces = new Map<string, Pace>();

	function paceOf({host}: URL): Pace {
		const known = paces.get(host);
		if (known) return known;
		const pace = createPace(options);
		paces.set(host, pace);
		return pace;
	}

	for (const url of hosts) paceOf(url);
	return {
		of: paceOf,
		budget() {
			const budgets = [...paces.values()].map(pace => pace.budget());
			return {
				used: budgets.reduce((sum, {used}) => sum + used, 0),
				allowed: budgets.reduce((sum, {allowed}) => sum + allowed, 0),
				freeAt: budgets.reduce<number | undefined>(
					(latest, {freeAt}) => (freeAt === undefined ? latest : Math.max(freeAt, latest ?? freeAt)),
					undefined,
				),
			};
		},
	};
}

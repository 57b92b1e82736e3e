import {createWorld, heldMegabytes} from '../../faults/world.ts';
import {type Audience, openAudience, type Spectator} from '../../helpers/audience.ts';

/** What each viewer beyond a few costs. */
export type AudienceCost = {
	/** CPU, in ms a second. */
	readonly cpuMs: number;
	/** Memory in use, in MB, after collecting garbage. */
	readonly heldMb: number;
	readonly framesPerSecond: number;
};

type AudienceCostOptions = {
	readonly size: {readonly columns: number; readonly rows: number};
	readonly fps: number;
	readonly markets: readonly string[];
	/** Two counts of viewers, of which the difference is taken: what all share is not counted. */
	readonly few: number;
	readonly many: number;
	readonly seconds: number;
};

const secondMs = 1000;
const settleSeconds = 10;

/** Measures viewers without SSH, in this process and on a clock of their own, so that what else runs on the machine matters little. */
export async function measureAudience({
	size,
	fps,
	markets,
	few,
	many,
	seconds,
}: AudienceCostOptions): Promise<AudienceCost> {
	const world = await createWorld();
	const exchange = await world.open('both');
	const audience = await openAudience({exchange, clock: world.clock, size, settings: {fps}});
	const spectators: Spectator[] = [];
	const frames = () => spectators.reduce((sum, {terminal}) => sum + terminal.frames, 0);

	async function measure(count: number) {
		seatUntil(audience, spectators, markets, count);
		await world.pass(settleSeconds * secondMs);
		const heldMb = await heldMegabytes();
		const [before, drawn] = [process.cpuUsage(), frames()];
		await world.pass(seconds * secondMs);
		const {user, system} = process.cpuUsage(before);
		return {cpuMs: (user + system) / secondMs / seconds, heldMb, frames: (frames() - drawn) / seconds};
	}

	// Code is compiled for both alike.
	await measure(few);
	const one = await measure(few);
	const other = await measure(many);
	const added = many - few;
	for (const {vanish} of spectators) vanish();
	await exchange.close();
	await world.close();
	return {
		cpuMs: (other.cpuMs - one.cpuMs) / added,
		heldMb: (other.heldMb - one.heldMb) / added,
		framesPerSecond: other.frames / many,
	};
}

function seatUntil(audience: Audience, spectators: Spectator[], markets: readonly string[], count: number): void {
	while (spectators.length < count) spectators.push(audience.seat(markets[spectators.length % markets.length]));
}

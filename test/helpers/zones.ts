import {type Zone, zoneNamed} from '../../source/format/zone.ts';

/** The zone of this name. Throws a `TypeError` if there is none. */
export function zoneOf(name: string): Zone {
	const zone = zoneNamed(name);
	if ('fault' in zone) throw new TypeError(zone.fault);
	return zone.value;
}

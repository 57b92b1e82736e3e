export const secondMs = 1000;
export const minuteMs = 60 * secondMs;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

/** Days and weeks in minutes, the unit of candle periods. */
export const dayMinutes = 24 * 60;
export const weekMinutes = 7 * dayMinutes;

/** Days since 1970-01-01, UTC. `time` in epoch ms. */
export const dayOf = (time: number): number => Math.floor(time / dayMs);

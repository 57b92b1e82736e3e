export const secondMs = 1000;
export const minuteMs = 60 * secondMs;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

/** Days and weeks in minutes, the unit of candle periods. */
export const dayMinutes = 24 * 60;
export const weekMinutes = 7 * dayMinutes;

/**
 * The mean length of a calendar month in minutes, a twelfth of 365¼ days, and the tiniest bit more: whole minutes, however often
 * they are taken, never equal months. A period of so many of them is one of calendar months in UTC, whose candles begin on the
 * first of a month, whatever its length.
 */
export const monthMinutes = 43_830 + 2 ** -20;

/** Days since 1970-01-01, UTC. `time` in epoch ms. */
export const dayOf = (time: number): number => Math.floor(time / dayMs);
/** The latest time that a Date can hold, epoch ms. */
export const maxTime = 8.64e15;

/** A server that stops by itself is started again, ever later, and in the end not at all. */
export class Restarts {
  private readonly stops: number[] = [];

  constructor(private readonly now: () => number = Date.now) {}

  /** Notes a stop. Milliseconds to wait before the next start; undefined: give up. */
  next(): number | undefined {
    const moment = this.now();
    this.stops.push(moment);
    const recent = this.stops.filter((stop) => moment - stop < WINDOW);
    return recent.length > MOST ? undefined : FIRST * 2 ** (recent.length - 1);
  }
}

/** Five stops within three minutes are enough. */
const WINDOW = 180_000;
const MOST = 5;
const FIRST = 500;

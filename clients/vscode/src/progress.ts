/** Shows one piece of work: `work` gets what tells its stage, and the work is over as it resolves. */
export type Show = (
  title: string,
  cancel: () => void,
  work: (tell: (stage: string) => void) => Promise<void>,
) => void;

interface Work {
  stage: string;
  timer: NodeJS.Timeout;
  tell?: (stage: string) => void;
  end?: () => void;
}

/** Most answers come sooner, and need no notification that flashes up. */
const DELAY = 400;

/** The server's work that a person can cancel, shown where the button is in sight. */
export class Progresses {
  private readonly under = new Map<string | number, Work>();

  constructor(
    private readonly show: Show,
    private readonly delay: number = DELAY,
  ) {}

  begin(token: string | number, title: string, stage: string, cancel: () => void): void {
    const work: Work = {
      stage,
      timer: setTimeout(() => {
        this.show(title, cancel, (tell) => {
          work.tell = tell;
          tell(work.stage);
          return new Promise((resolve) => (work.end = resolve));
        });
      }, this.delay),
    };
    this.under.set(token, work);
  }

  /** Whether this is work that began here. */
  has(token: string | number): boolean {
    return this.under.has(token);
  }

  report(token: string | number, stage: string): void {
    const work = this.under.get(token);
    if (work && stage) {
      work.stage = stage;
      work.tell?.(stage);
    }
  }

  end(token: string | number): void {
    const work = this.under.get(token);
    this.under.delete(token);
    clearTimeout(work?.timer);
    work?.end?.();
  }

  /** The server is gone, and its work with it. */
  endAll(): void {
    [...this.under.keys()].forEach((token) => this.end(token));
  }
}

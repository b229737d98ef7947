import type { ReactNode } from 'react';

export type Tone = 'good' | 'bad' | 'wait' | 'info' | 'plain';

/** The state of something, as text; the color only repeats it. */
export function Status({ tone, children }: { readonly tone: Tone; readonly children: ReactNode }) {
  return (
    <span className="status" data-tone={tone}>
      {children}
    </span>
  );
}

/** A sentence that should be noticed. */
export function Note({ tone, children }: { readonly tone: Tone; readonly children: ReactNode }) {
  return (
    <div className="note" data-tone={tone} role={tone === 'bad' ? 'alert' : undefined}>
      {children}
    </div>
  );
}

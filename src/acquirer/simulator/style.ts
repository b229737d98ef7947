// The stylesheet of the bank's pages. It is served from its own address, so that the policy allows no inline style.

import { hash } from 'node:crypto';

export const style = `:root {
  color-scheme: light dark;
  --ground: #eef2f7; --sheet: #ffffff; --ink: #17212f; --faint: #566274; --line: #d8dfe8;
  --brand: #17426e; --on-brand: #ffffff; --confirm: #14693c; --on-confirm: #ffffff; --refuse: #9d2222;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #11161d; --sheet: #1b232d; --ink: #e9eef5; --faint: #a5b2c3; --line: #344150;
    --brand: #0e2a48; --on-brand: #e9eef5; --confirm: #7fdba6; --on-confirm: #0c2416; --refuse: #ffaba3;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; min-height: 100vh; display: flex; flex-direction: column;
  background: var(--ground); color: var(--ink);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
}
header { background: var(--brand); color: var(--on-brand); }
header p { margin: 0 auto; padding: 1rem 1.25rem; max-width: 30rem; font-weight: 700; letter-spacing: 0.01em; }
main {
  width: calc(100% - 2rem); max-width: 30rem; margin: 2rem auto; padding: 1.5rem;
  background: var(--sheet); border: 1px solid var(--line); border-radius: 0.75rem;
}
h1 { margin: 0 0 1.25rem; font-size: 1.375rem; line-height: 1.25; }
dl { margin: 0 0 1.5rem; }
dl div { display: flex; gap: 1rem; justify-content: space-between; padding: 0.625rem 0; border-bottom: 1px solid var(--line); }
dt { color: var(--faint); }
dd { margin: 0; text-align: right; font-weight: 600; overflow-wrap: anywhere; font-variant-numeric: tabular-nums; }
form p { margin: 0 0 0.75rem; }
.choices { display: flex; flex-wrap: wrap; gap: 0.75rem; }
button, .back {
  flex: 1 1 10rem; min-height: 3rem; padding: 0.5rem 1.25rem; border: 2px solid; border-radius: 0.5rem;
  font: inherit; font-weight: 600; text-align: center; text-decoration: none; cursor: pointer;
}
.confirm { background: var(--confirm); border-color: var(--confirm); color: var(--on-confirm); }
.refuse { background: transparent; border-color: var(--refuse); color: var(--refuse); }
.back { display: inline-block; border-color: var(--faint); color: var(--ink); }
button:hover, .back:hover { filter: brightness(1.08); }
:focus-visible { outline: 3px solid var(--ink); outline-offset: 3px; }
footer { margin: auto 0 0; }
footer p { max-width: 30rem; margin: 0 auto; padding: 1rem 1.25rem 1.5rem; color: var(--faint); font-size: 0.875rem; }
`;

/** Changes with the text, so that browsers may keep the stylesheet for ever. */
export const styleVersion = hash('sha256', style, 'hex').slice(0, 16);

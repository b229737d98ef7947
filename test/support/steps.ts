/** What is written in steps, all of them at once. */
export function atOnce<T>(steps: Iterator<undefined, T>): T {
  for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value;
}

// A browser's description of itself, shortened for people.

const browsers = [
  [/Edg\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\//, 'Firefox'],
  [/Chrome\//, 'Chrome'],
  [/Safari\//, 'Safari'],
] as const;

const systems = [
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/Linux/, 'Linux'],
] as const;

export function agentName(userAgent: string): string {
  const first = (list: readonly (readonly [RegExp, string])[]) => list.find(([shape]) => shape.test(userAgent))?.[1];
  const [browser, system] = [first(browsers), first(systems)];
  if (browser) return system ? `${browser}, ${system}` : browser;
  return userAgent.slice(0, 60) || '?';
}

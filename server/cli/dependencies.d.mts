/** @see dependencies.mjs */
export const bundled: readonly string[]
export function isBundled(): boolean
export function bundleDependencies(): Promise<void>
export function loadBundledDependencies(): void

/** @see prepare.mjs */
export const root: string
export const pinnedNode: string
export function install(): Promise<void>
export function build(): Promise<void>
export function isBuilt(): boolean

/**
 * A script of the page that could not be loaded: the network is down, or the server was upgraded and this tab is of the
 * older version. For the first, wait for the network; for the second, reload the page once.
 */
export class MissingPart extends Error {
  override readonly name = 'MissingPart'
}

/** Imports a part of the page, marking failures so that they differ from bugs in it. */
export const loadPart = async <T>(load: () => Promise<T>): Promise<T> => {
  try {
    return await load()
  } catch (cause) {
    throw isFailedImport(cause) ? new MissingPart('A part of the page could not be loaded', { cause }) : cause
  }
}

/** Messages of browsers and of Vite's preloading for a script or style that could not be loaded. */
const isFailedImport = (error: unknown): boolean =>
  error instanceof Error &&
  /dynamically imported module|importing a module script failed|unable to preload/i.test(error.message)

export interface ReloadParts {
  readonly storage: Pick<Storage, 'getItem' | 'setItem'>
  /** Address of the page's main script. It changes with an upgrade. */
  readonly build: string
  /** The current or pending address. */
  readonly address: string
  isServerThere(): Promise<boolean>
  reload(): void
}

const storageKey = 'recado:reloaded'
/** Remembered addresses: enough that two versions behind one host name cannot cause a reload loop. */
const remembered = 20

/**
 * Reloads the page if that can help: the server answers, and this version was not reloaded at this address before.
 * False: not reloaded; the person decides.
 */
export async function reloadOnce({ storage, build, address, isServerThere, reload }: ReloadParts): Promise<boolean> {
  const mark = `${build} ${address}`
  try {
    if (!(await isServerThere())) return false
    const done = (storage.getItem(storageKey) ?? '').split('\n')
    if (done.includes(mark)) return false
    storage.setItem(storageKey, [...done, mark].slice(-remembered).join('\n'))
  } catch {
    // Without storage, nothing would prevent a reload loop.
    return false
  }
  reload()
  return true
}

/** A page that no server answers must not replace this one. */
export const isServerThere = async (): Promise<boolean> => {
  try {
    return (await fetch('/healthz', { cache: 'no-store', signal: AbortSignal.timeout(10_000) })).ok
  } catch {
    return false
  }
}

export const reloadPageOnce = (): Promise<boolean> =>
  reloadOnce({
    storage: sessionStorage,
    build: document.querySelector<HTMLScriptElement>('script[type=module][src]')?.src ?? '',
    address: location.pathname + location.search,
    isServerThere,
    reload: () => location.reload(),
  })

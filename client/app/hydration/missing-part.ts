/**
 * A script of the page that could not be had: the network is away, or the server was upgraded and this tab is of the
 * version before. The first waits for the network, the second is mended by loading the page anew, once.
 */
export class MissingPart extends Error {
  override readonly name = 'MissingPart'
}

/** An import whose failure can be told from a fault inside the page. */
export const loadPart = async <T>(load: () => Promise<T>): Promise<T> => {
  try {
    return await load()
  } catch (cause) {
    throw isFailedImport(cause) ? new MissingPart('A part of the page could not be loaded', { cause }) : cause
  }
}

/** What browsers, and the preloading of Vite, say of a script or a style that did not come. */
const isFailedImport = (error: unknown): boolean =>
  error instanceof Error &&
  /dynamically imported module|importing a module script failed|unable to preload/i.test(error.message)

export interface ReloadParts {
  readonly storage: Pick<Storage, 'getItem' | 'setItem'>
  /** Address of the page's own script: another one after an upgrade. */
  readonly build: string
  /** Where the page is, or is going. */
  readonly address: string
  isServerThere(): Promise<boolean>
  reload(): void
}

const storageKey = 'recado:reloaded'
/** Addresses remembered: enough that two versions behind one name cannot send a tab back and forth. */
const remembered = 20

/**
 * Loads the page anew if that can help: the server answers, and this version of the page has not been loaded anew at
 * this address before. False: it stays as it is, for the person to decide.
 */
export async function reloadOnce({ storage, build, address, isServerThere, reload }: ReloadParts): Promise<boolean> {
  const mark = `${build} ${address}`
  try {
    if (!(await isServerThere())) return false
    const done = (storage.getItem(storageKey) ?? '').split('\n')
    if (done.includes(mark)) return false
    storage.setItem(storageKey, [...done, mark].slice(-remembered).join('\n'))
  } catch {
    // Where nothing can be remembered, nothing keeps it from happening for ever.
    return false
  }
  reload()
  return true
}

/** True when the server answers at all: then a page can be loaded from it. */
export const isServerThere = async (): Promise<boolean> => {
  try {
    return (await fetch('/healthz', { cache: 'no-store', signal: AbortSignal.timeout(10_000) })).ok
  } catch {
    return false
  }
}

/** `reloadOnce` for this page. */
export const reloadPageOnce = (): Promise<boolean> =>
  reloadOnce({
    storage: sessionStorage,
    build: document.querySelector<HTMLScriptElement>('script[type=module][src]')?.src ?? '',
    address: location.pathname + location.search,
    isServerThere,
    reload: () => location.reload(),
  })

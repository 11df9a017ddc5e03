import { useEffect, useRef, useSyncExternalStore } from 'react'
import type { IconName } from '#client/ui/pictures/icon.tsx'

/** Something the palette can do. */
export interface Command {
  readonly id: string
  readonly title: string
  readonly icon?: IconName
  /** Other words it is found by. */
  readonly keywords?: readonly string[]
  /** The key that does it without the palette. */
  readonly hint?: string
  run(): void
}

const registered = new Map<symbol, readonly Command[]>()
const listeners = new Set<() => void>()
let all: readonly Command[] = []

const tell = () => {
  all = [...registered.values()].flat()
  for (const listener of listeners) listener()
}

/** Offers the actions of a page in the palette while the page is open; their words may change from render to render. */
export const usePageCommands = (commands: readonly Command[]): void => {
  const latest = useRef(commands)
  latest.current = commands
  const shown = commands.map(({ id, title, icon }) => `${id} ${title} ${icon}`).join('\n')
  // biome-ignore lint/correctness/useExhaustiveDependencies: told again only when what is shown differs
  useEffect(() => {
    const key = Symbol('commands')
    // What runs is looked up when it is chosen, so that it acts on what is on screen then.
    const runNow = ({ id }: Command) => latest.current.find(command => command.id === id)?.run()
    registered.set(
      key,
      latest.current.map(command => ({ ...command, run: () => runNow(command) })),
    )
    tell()
    return () => {
      registered.delete(key)
      tell()
    }
  }, [shown])
}

const none: readonly Command[] = []

/** What the open pages offer now. */
export const useOfferedCommands = (): readonly Command[] =>
  useSyncExternalStore(
    listener => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => all,
    () => none,
  )

import { useEffect, useRef, useSyncExternalStore } from 'react'
import type { IconName } from '#client/ui/pictures/icon.tsx'

/** A command of the palette. */
export interface Command {
  readonly id: string
  readonly title: string
  readonly icon?: IconName
  /** Other words it is found by. */
  readonly keywords?: readonly string[]
  /** Its keyboard shortcut. */
  readonly hint?: string
  /** A second line: the chat's number, or the message that was found. */
  readonly detail?: string | undefined
  run(): void
}

const registered = new Map<symbol, readonly Command[]>()
const listeners = new Set<() => void>()
let all: readonly Command[] = []

const tell = () => {
  // A chat's commands register after those of the page around it, and are wanted more often.
  all = [...registered.values()].reverse().flat()
  for (const listener of listeners) listener()
}

/** Adds a page's actions to the palette while the page is open. Their texts may change between renders. */
export const usePageCommands = (commands: readonly Command[]): void => {
  const latest = useRef(commands)
  latest.current = commands
  const shown = commands.map(({ id, title, icon }) => `${id} ${title} ${icon}`).join('\n')
  // biome-ignore lint/correctness/useExhaustiveDependencies: told again only when what is shown differs
  useEffect(() => {
    const key = Symbol('commands')
    // Looked up when it is chosen, so that it acts on the current page.
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

/** The commands of the open pages. */
export const useOfferedCommands = (): readonly Command[] =>
  useSyncExternalStore(
    listener => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => all,
    () => none,
  )

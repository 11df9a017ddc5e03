import { createContext, use } from 'react'
import { createContext as createRouterContext } from 'react-router'
import type { Language } from '#shared/kernel/language.ts'
import type { ThemeChoice } from './preference.ts'

/** Public facts about this installation. */
export interface Site {
  /** Nobody has signed in yet. */
  readonly empty: boolean
  readonly signup: 'first' | 'open' | 'invite'
  readonly sandbox: boolean
  /**
   * Meta's dialog in which a business connects its WhatsApp account to the installation's app. Null: not configured.
   */
  readonly facebook: {
    readonly appId: string
    readonly configId: string
    readonly version: string
    /** The simulator stands in for Meta. */
    readonly isSimulated: boolean
  } | null
}

/** What server and browser must agree on to render the same page. Printed into it. */
export interface Facts {
  readonly language: Language
  readonly theme: ThemeChoice
  readonly timeZone: string
  /** Whether the sidebar is wide. Null: never chosen; the window's width decides. */
  readonly sidebar: boolean | null
  /** Whether the contact panel is open beside the chat. */
  readonly contactSide: boolean
  /** Whether flows are shown as lists where a canvas would fit. */
  readonly flowsAsLists: boolean
  /** When the page was rendered, ms since 1970. Relative times of the first paint use it. */
  readonly now: number
  readonly requestId: string
  /** Whether a person was signed in when the page was made. Signing in or out loads a new page. */
  readonly isSignedIn: boolean
  /** The impersonated person's name, if an administrator acts as somebody else. Null: not impersonating. */
  readonly actsAs: string | null
  /** Part of the texts' addresses; changes with the texts. */
  readonly localesVersion: string
  /** The public address of the installation, whatever the address bar says. */
  readonly publicUrl: string
  readonly site: Site
}

/** `Facts` for loaders. */
export const factsContext = createRouterContext<Facts>()

export const FactsContext = createContext<Facts | undefined>(undefined)

export const useFacts = (): Facts => {
  const facts = use(FactsContext)
  if (!facts) throw new Error('The page was rendered without its facts')
  return facts
}

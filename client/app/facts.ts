import { createContext, use } from 'react'
import { createContext as createRouterContext } from 'react-router'
import type { Language } from '#shared/kernel/language.ts'
import type { ThemeChoice } from './preferences/preference.ts'

/** Public facts about this installation. */
export interface Site {
  /** Nobody has signed in yet. */
  readonly empty: boolean
  readonly signup: 'first' | 'open' | 'invite'
  readonly sandbox: boolean
  /** The operator allowed calls to some addresses inside the network. */
  readonly innerCalls?: boolean
  /** There is no mail server: mail is written to files. Told only to browsers on the same machine. */
  readonly writesMail?: boolean
  /**
   * The settings of Meta's dialog in which a business connects its WhatsApp account to the installation's app. Null if
   * it is not configured.
   */
  readonly facebook: {
    readonly appId: string
    readonly configId: string
    readonly version: string
    /** The simulator stands in for Meta. */
    readonly isSimulated: boolean
  } | null
}

/** The values that the server and the browser must share to render the same page. The server writes them into it. */
export interface Facts {
  readonly language: Language
  readonly theme: ThemeChoice
  readonly timeZone: string
  /** True: the sidebar is wide. Null if the user never chose; then the window's width decides. */
  readonly sidebar: boolean | null
  /** True if the contact panel next to the chat is open. */
  readonly contactSide: boolean
  /** The choice of columns of the table of contacts, as its cookie has it. */
  readonly contactColumns: string
  /** True if flows are shown as lists where a canvas would fit. */
  readonly flowsAsLists: boolean
  /**
   * The server's clock when it rendered the page, in ms since 1970. The first paint computes relative times from it.
   */
  readonly now: number
  readonly requestId: string
  /** True if a person was signed in when the page was made. Signing in or out loads a new page. */
  readonly isSignedIn: boolean
  /** The impersonated person's name, while an administrator acts as that person. Otherwise null. */
  readonly actsAs: string | null
  /** Part of the texts' addresses; changes with the texts. */
  readonly localesVersion: string
  /** The installation's configured public address. It can differ from the address bar. */
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

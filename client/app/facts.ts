import { createContext, use } from 'react'
import { createContext as createRouterContext } from 'react-router'
import type { Language } from '#shared/kernel/language.ts'
import type { ThemeChoice } from './preference.ts'

/** What may be done in this installation, for everybody to know. */
export interface Site {
  /** Nobody has signed in yet. */
  readonly empty: boolean
  readonly signup: 'first' | 'open' | 'invite'
  readonly sandbox: boolean
  /** The dialog in which a business lets the installation's app use its WhatsApp account; null: not set up. */
  readonly facebook: {
    readonly appId: string
    readonly configId: string
    readonly version: string
    /** The simulator plays it. */
    readonly isSimulated: boolean
  } | null
}

/** What server and browser must agree on to render the same page; printed into it. */
export interface Facts {
  readonly language: Language
  readonly theme: ThemeChoice
  readonly timeZone: string
  /** Whether the sidebar was left wide; null: never chosen, the width of the window decides. */
  readonly sidebar: boolean | null
  /** Whether the contact was left open beside the chat. */
  readonly contactSide: boolean
  /** Whether flows were last shown as lists where there is room for a canvas. */
  readonly flowsAsLists: boolean
  /** When the page was rendered, ms since 1970: relative times of the first paint count from here. */
  readonly now: number
  readonly requestId: string
  /** Whether a person was signed in when the page was made. Signing in and out both bring a new page. */
  readonly isSignedIn: boolean
  /** Who the reader is for the product while they, an administrator of the site, act as somebody else; null: themself. */
  readonly actsAs: string | null
  /** Changes with the texts: part of their addresses. */
  readonly localesVersion: string
  /** The address that people and Meta reach the installation by, whatever the address bar says. */
  readonly publicUrl: string
  readonly site: Site
}

/** The same, for loaders. */
export const factsContext = createRouterContext<Facts>()

export const FactsContext = createContext<Facts | undefined>(undefined)

export const useFacts = (): Facts => {
  const facts = use(FactsContext)
  if (!facts) throw new Error('The page was rendered without its facts')
  return facts
}

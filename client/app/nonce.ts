import { createContext } from 'react'

/** On the server: what lets a style of this very page pass. */
export const NonceContext = createContext<string | undefined>(undefined)

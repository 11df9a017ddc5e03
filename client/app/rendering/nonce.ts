import { createContext } from 'react'

/** Server only: the nonce that allows styles of this page. */
export const NonceContext = createContext<string | undefined>(undefined)

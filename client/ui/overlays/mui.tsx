import { CacheProvider } from '@emotion/react'
import { ThemeProvider } from '@mui/material/styles'
import { type ReactNode, use } from 'react'
import { theme } from '#client/app/preferences/theme.ts'
import { openBrowserStyles, StylesContext } from '#client/app/rendering/emotion-stream.ts'

if (typeof document !== 'undefined') openBrowserStyles()

/**
 * The page sets its theme itself; MUI would overwrite it with the system's. The type of `ThemeProvider` lacks this
 * property.
 */
const withoutNode = { colorSchemeNode: null }

/**
 * Goes around every use of MUI: sets the product's theme and a cache whose styles have the page's nonce. Import it only
 * from parts that load when they open, because MUI's engine must not delay the first paint. Do not set
 * `disableTransitionOnChange`: it writes a style without the nonce when the system turns dark.
 */
export function MuiScope({ children }: { children: ReactNode }) {
  const open = use(StylesContext) ?? openBrowserStyles
  return (
    <CacheProvider value={open()}>
      <ThemeProvider theme={theme} {...withoutNode} noSsr storageWindow={null}>
        {children}
      </ThemeProvider>
    </CacheProvider>
  )
}

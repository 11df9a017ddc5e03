import { CacheProvider } from '@emotion/react'
import { ThemeProvider } from '@mui/material/styles'
import { type ReactNode, use } from 'react'
import { openBrowserStyles, StylesContext } from '#client/app/emotion-stream.ts'
import { theme } from '#client/app/theme.ts'

if (typeof document !== 'undefined') openBrowserStyles()

/** The page says its theme itself: MUI would write the system's over it. It hands this on without declaring it. */
const withoutNode = { colorSchemeNode: null }

/**
 * Around every use of MUI: gives it the product's theme and a cache whose styles carry the page's nonce. Import it only
 * from pages or widgets that load when they open; MUI's engine is no part of the first paint. No `disableTransitionOnChange`:
 * it writes a style without that nonce as soon as the system turns dark.
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

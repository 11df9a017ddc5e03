import { createTheme } from '@mui/material/styles'

/** Roles of tokens.css. Both schemes use the same ones: the tokens handle light, dark and "system". */
const palette = {
  primary: {
    main: 'var(--brand)',
    dark: 'var(--brand-strong)',
    light: 'var(--brand)',
    contrastText: 'var(--brand-ink)',
  },
  secondary: { main: 'var(--ink-2)', dark: 'var(--ink)', light: 'var(--ink-3)', contrastText: 'var(--surface)' },
  error: { main: 'var(--red)', dark: 'var(--red)', light: 'var(--red)', contrastText: 'var(--surface)' },
  warning: { main: 'var(--amber)', dark: 'var(--amber)', light: 'var(--amber)', contrastText: 'var(--surface)' },
  info: { main: 'var(--violet)', dark: 'var(--violet)', light: 'var(--violet)', contrastText: 'var(--surface)' },
  success: {
    main: 'var(--brand)',
    dark: 'var(--brand-strong)',
    light: 'var(--brand)',
    contrastText: 'var(--brand-ink)',
  },
  background: { default: 'var(--ground)', paper: 'var(--raised)' },
  text: { primary: 'var(--ink)', secondary: 'var(--ink-2)', disabled: 'var(--ink-3)' },
  divider: 'var(--line)',
}

export const theme = createTheme({
  // The page sets dark mode itself. MUI would switch it back when the system decides.
  cssVariables: { colorSchemeSelector: 'data-theme', nativeColor: true, disableCssColorScheme: true },
  colorSchemes: { light: { palette }, dark: { palette } },
  shape: { borderRadius: 8 },
  spacing: 4,
  typography: { fontFamily: 'var(--font)', fontSize: 14, button: { textTransform: 'none', fontWeight: 500 } },
  transitions: {
    duration: { enteringScreen: 160, leavingScreen: 120, standard: 160, short: 140, shorter: 120, shortest: 120 },
  },
})

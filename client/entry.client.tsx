import { routes } from './routes.tsx'
import { startPage } from './start-page.tsx'
import './tokens.css'
import './base.css'
import './controls.css'
import './shell/plain.css'

void startPage(routes)

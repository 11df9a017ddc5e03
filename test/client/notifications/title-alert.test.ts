import t from 'tap'
import { createTitleAlert, titleAfterReturnMs, titleMs } from '#client/notifications/title-alert.ts'
import { handTime } from '../live/world.ts'

const aTab = () => {
  const time = handTime()
  const watchers = new Set<() => void>()
  const titleWatchers = new Set<() => void>()
  let title = 'Chats · Recado'
  let visible = false
  const alert = createTitleAlert({
    getTitle: () => title,
    setTitle: next => {
      title = next
    },
    isVisible: () => visible,
    onVisibility(run) {
      watchers.add(run)
    },
    onTitle(run) {
      titleWatchers.add(run)
    },
    after: time.after,
  })
  return {
    ...alert,
    pass: time.pass,
    title: () => title,
    page: (next: string) => {
      title = next
      for (const watcher of titleWatchers) watcher()
    },
    look: (now: boolean) => {
      visible = now
      for (const watcher of watchers) watcher()
    },
  }
}

t.test('a hidden tab shows the alert with a bell for ten seconds', async t => {
  const tab = aTab()
  tab.alert('Nuevo mensaje de WhatsApp')
  t.equal(tab.title(), '🔔 Nuevo mensaje de WhatsApp')
  await tab.pass(titleMs - 1)
  t.equal(tab.title(), '🔔 Nuevo mensaje de WhatsApp')
  await tab.pass(1)
  t.equal(tab.title(), 'Chats · Recado')
})

t.test('a returning user sees it for one more second', async t => {
  const tab = aTab()
  tab.alert('Nuevo mensaje de WhatsApp')
  await tab.pass(3000)
  tab.look(true)
  await tab.pass(titleAfterReturnMs - 1)
  t.equal(tab.title(), '🔔 Nuevo mensaje de WhatsApp')
  await tab.pass(1)
  t.equal(tab.title(), 'Chats · Recado')
  await tab.pass(titleMs)
  t.equal(tab.title(), 'Chats · Recado')
})

t.test('a second alert replaces the first, and the original title returns', async t => {
  const tab = aTab()
  tab.alert('Nuevo mensaje de WhatsApp')
  await tab.pass(9000)
  tab.alert('Estado actualizado')
  await tab.pass(9000)
  t.equal(tab.title(), '🔔 Estado actualizado')
  await tab.pass(1000)
  t.equal(tab.title(), 'Chats · Recado')
})

t.test('the title of a visible tab stays', async t => {
  const tab = aTab()
  tab.look(true)
  tab.alert('x')
  t.equal(tab.title(), 'Chats · Recado')
})

t.test('a title set by the page meanwhile is applied afterwards', async t => {
  const tab = aTab()
  tab.alert('Nuevo mensaje de WhatsApp')
  tab.page('(1) Chats · Recado')
  t.equal(tab.title(), '🔔 Nuevo mensaje de WhatsApp')
  await tab.pass(titleMs)
  t.equal(tab.title(), '(1) Chats · Recado')
  tab.page('(2) Chats · Recado')
  t.equal(tab.title(), '(2) Chats · Recado', 'without an alert the page is not held')
})

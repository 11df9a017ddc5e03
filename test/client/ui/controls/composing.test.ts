import t from 'tap'
import { isComposing } from '#client/ui/controls/composing.ts'

t.test('an Enter that ends a composition belongs to the input method, in either order of events', async t => {
  t.equal(isComposing({ isComposing: true, keyCode: 229 }), true, 'Chrome and Firefox: keydown, then compositionend')
  t.equal(isComposing({ isComposing: false, keyCode: 229 }), true, 'Safari: compositionend, then keydown')
  t.equal(isComposing({ isComposing: false, keyCode: 13 }), false)
})

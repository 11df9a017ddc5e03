import t from 'tap'
import { firstFound } from '#client/ui/controls/emoji-found.ts'

const emoji = (sign: string, category: number, label: string, ...tags: string[]) => ({
  emoji: sign,
  category,
  label,
  tags,
  version: 0,
})

const data = {
  locale: 'es',
  categories: [
    { index: 0, label: 'emoticonos' },
    { index: 4, label: 'comida' },
  ],
  skinTones: { light: '🏻', 'medium-light': '🏼', medium: '🏽', 'medium-dark': '🏾', dark: '🏿' },
  emojis: [
    emoji('🍅', 4, 'tomate', 'pizza'),
    emoji('🍕', 4, 'Pizza', 'porción'),
    emoji('😀', 0, 'cara sonriendo', 'alegría'),
    emoji('😋', 0, 'cara saboreando comida', 'delicioso', 'rico'),
    emoji('🥗', 4, 'ensalada', 'comida'),
  ],
}

t.test('an emoji with the searched word in its name comes before one with it among its keywords', async t => {
  t.equal(firstFound(data, ' PIZZA ')?.emoji, '🍕')
  t.equal(firstFound(data, 'porc')?.emoji, '🍕')
})

t.test('the first category that has one comes first, and of equal ones the first in order', async t => {
  t.equal(firstFound(data, 'comida')?.emoji, '😋')
  t.equal(firstFound(data, 'cara')?.emoji, '😀')
  t.equal(firstFound(data, 'dragón'), undefined)
})

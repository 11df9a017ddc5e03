// Runs React in the turn of its own file, before anything that uses it: a telephone's processor takes long for it.
import 'react/jsx-runtime'
import 'react-dom/client'

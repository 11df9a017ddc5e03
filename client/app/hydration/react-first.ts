// Loads React in a task of its own before its users, because a phone's processor takes long for it.
import 'react/jsx-runtime'
import 'react-dom/client'

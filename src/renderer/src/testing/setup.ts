// For every test of the window: a busy machine may take long to load a screen; nothing is proved by being quick.
import { configure } from '@testing-library/react'

configure({ asyncUtilTimeout: 30_000 })

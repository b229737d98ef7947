import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import '@mantine/spotlight/styles.css';
import './styles.css';
import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient, router } from './router.tsx';
import { Languages } from './shell/languages.tsx';
import { cssVariables, theme } from './theme.ts';

/** The server writes it into the page; styles that libraries add need it. */
const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '';
Object.assign(globalThis, { __webpack_nonce__: nonce });

const schemes = localStorageColorSchemeManager({ key: 'grosz-appearance' });

const place = document.getElementById('root');
if (place) {
  createRoot(place).render(
    <StrictMode>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={cssVariables}
        colorSchemeManager={schemes}
        defaultColorScheme="auto"
        getStyleNonce={() => nonce}
      >
        <QueryClientProvider client={queryClient}>
          <Languages>
            <Notifications position="bottom-right" />
            <RouterProvider router={router} />
          </Languages>
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>,
  );
}

import { useEffect, useRef } from "react";
import { Route, Routes, useLocation } from "react-router";
import { lazyPart } from "#web/ui/lazy-loading/lazy-part.ts";
import { LoadBoundary } from "#web/ui/lazy-loading/load-boundary.tsx";

const PublicLayout = lazyPart(
  "public",
  async () => (await import("#web/features/public-pages/public-layout.tsx")).PublicLayout,
);
const Landing = lazyPart(
  "landing",
  async () => (await import("#web/features/public-pages/landing/landing.tsx")).Landing,
);
const About = lazyPart("about", async () => (await import("#web/features/public-pages/about.tsx")).About);
const Terms = lazyPart(
  "terms",
  async () => (await import("#web/features/public-pages/legal/terms.tsx")).Terms,
);
const Privacy = lazyPart(
  "privacy",
  async () => (await import("#web/features/public-pages/legal/privacy.tsx")).Privacy,
);
const NotFound = lazyPart(
  "not-found",
  async () => (await import("#web/features/public-pages/not-found.tsx")).NotFound,
);
const Login = lazyPart("login", async () => (await import("#web/features/auth/login.tsx")).Login);
const Register = lazyPart("register", async () => (await import("#web/features/auth/register.tsx")).Register);
const Registered = lazyPart(
  "registered",
  async () => (await import("#web/features/auth/registered.tsx")).Registered,
);
const Recover = lazyPart("recover", async () => (await import("#web/features/auth/recover.tsx")).Recover);
const NewPassword = lazyPart(
  "new-password",
  async () => (await import("#web/features/auth/new-password.tsx")).NewPassword,
);
const Activate = lazyPart("activate", async () => (await import("#web/features/auth/activate.tsx")).Activate);
const Shell = lazyPart("shell", async () => (await import("./shell/shell.tsx")).Shell);
const SharedPage = lazyPart(
  "shared",
  async () => (await import("#web/features/viewer/shared-page/shared-page.tsx")).SharedPage,
);
const Mailbox = lazyPart("mailbox", async () => (await import("#web/features/mailbox/mailbox.tsx")).Mailbox);

/** Every route of the product. */
export function App() {
  useNavigationReset();
  return (
    <LoadBoundary page={useLocation().pathname}>
      <Routes>
        <Route element={<PublicLayout />}>
          <Route index element={<Landing />} />
          <Route path="about" element={<About />} />
          <Route path="terms-and-conditions" element={<Terms />} />
          <Route path="privacy" element={<Privacy />} />
          <Route path="*" element={<NotFound />} />
        </Route>
        <Route path="login" element={<Login />} />
        <Route path="register" element={<Register />} />
        <Route path="register/finished/:email" element={<Registered />} />
        <Route path="recover" element={<Recover />} />
        <Route path="recover/:token" element={<NewPassword />} />
        <Route path="dashboard" element={<Shell />} />
        <Route path="share/:token" element={<SharedPage />} />
        <Route path="mailbox" element={<Mailbox />} />
        <Route path="account/activate/:token" element={<Activate />} />
      </Routes>
    </LoadBoundary>
  );
}

/** Scrolls a new page to its top and moves the focus there, which announces it to assistive technology. */
function useNavigationReset() {
  const { pathname, hash } = useLocation();
  const shownPath = useRef(pathname);
  useEffect(() => {
    if (shownPath.current === pathname) return;
    shownPath.current = pathname;
    if (!hash) scrollTo({ top: 0, behavior: "instant" });
    document.querySelector("main")?.focus({ preventScroll: true });
  }, [pathname, hash]);
}

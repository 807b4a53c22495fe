<?php
// WordPress on the private MariaDB, with nothing that depends on the network or on chance.
define('DB_NAME', 'wordpress');
define('DB_USER', 'root');
define('DB_PASSWORD', '');
define('DB_HOST', 'localhost:' . getenv('MEMDIFF_EFFECT_SOCKET'));
define('DB_CHARSET', 'utf8mb4');
define('DB_COLLATE', '');
$table_prefix = 'wp_';

define('WP_HOME', 'http://wordpress.test');
define('WP_SITEURL', 'http://wordpress.test');
define('DISABLE_WP_CRON', true);
define('WP_HTTP_BLOCK_EXTERNAL', true);
define('AUTOMATIC_UPDATER_DISABLED', true);

// Fixed keys, so that nonces and cookies are valid in every run.
foreach (['AUTH', 'SECURE_AUTH', 'LOGGED_IN', 'NONCE'] as $name) {
    define($name . '_KEY', "effect $name key");
    define($name . '_SALT', "effect $name salt");
}

define('ABSPATH', __DIR__ . '/');
require_once ABSPATH . 'wp-settings.php';

<?php
// usage: php wordpress-fill.php ROOT POSTS.json OUT.json
// Installs WordPress, adds the posts, and writes their numbers and an administrator's cookie.
[, $root, $posts, $out] = $argv;

$_SERVER['HTTP_HOST'] = $_SERVER['SERVER_NAME'] = 'wordpress.test';
$_SERVER['REQUEST_URI'] = '/';
define('WP_INSTALLING', true);
require $root . '/wp-load.php';
require ABSPATH . 'wp-admin/includes/upgrade.php';

add_filter('pre_wp_mail', '__return_false');
wp_install('Effect', 'admin', 'admin@example.org', false, '', 'effect-password');
switch_theme('twentytwentyone');
wp_set_current_user(1);

$categories = [];
foreach (['News', 'Guides', 'Reference', 'Notes'] as $name) {
    $categories[] = wp_insert_term($name, 'category')['term_id'];
}
$numbers = [];
foreach (json_decode(file_get_contents($posts), true) as $post) {
    $number = wp_insert_post([
        'post_title' => $post['title'],
        'post_content' => $post['content'],
        'post_status' => 'publish',
        'post_type' => $post['type'],
        'post_author' => 1,
        'post_date' => $post['date'],
        'post_date_gmt' => $post['date'],
        'post_category' => [$categories[$post['category']]],
        'tags_input' => $post['tags'],
    ]);
    foreach ($post['comments'] as $index => $comment) {
        wp_insert_comment([
            'comment_post_ID' => $number,
            'comment_author' => "Reader $index",
            'comment_author_email' => "reader$index@example.org",
            'comment_content' => $comment,
            'comment_approved' => 1,
            'comment_date' => $post['date'],
            'comment_date_gmt' => $post['date'],
        ]);
    }
    $numbers[] = $number;
}
update_option('permalink_structure', '');
update_option('rewrite_rules', '');
update_option('show_avatars', 0);

// A session that does not end, for the pages that only an administrator sees.
$expiration = 2000000000;
$token = str_repeat('a', 43);
WP_Session_Tokens::get_instance(1)->update(
    $token,
    ['expiration' => $expiration, 'login' => 1700000000]
);
$cookies = [];
foreach (['wordpress_' => 'auth', 'wordpress_logged_in_' => 'logged_in'] as $prefix => $scheme) {
    $cookies[] = $prefix . md5(WP_SITEURL) . '='
        . rawurlencode(wp_generate_auth_cookie(1, $expiration, $scheme, $token));
}
file_put_contents($out, json_encode([
    'posts' => $numbers,
    'category' => $categories[1],
    'cookie' => implode('; ', $cookies),
]));
